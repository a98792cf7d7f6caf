// SPDX-License-Identifier: BSD-2-Clause
#pragma once

/* Self-signed, made for these tests with `openssl req -x509`; O=Planted Org, CN=planted.example,
 * a serial number and, in the first, the alternative names DNS:planted.example and IP:192.0.2.77.
 */
#define PEM_P256                                                                                   \
	"-----BEGIN CERTIFICATE-----\n"                                                            \
	"MIIB2DCCAX2gAwIBAgIUS7Bhrw4pdYLNw4suZslbv6Gv/jEwCgYIKoZIzj0EAwIw\n"                       \
	"MDEUMBIGA1UECgwLUGxhbnRlZCBPcmcxGDAWBgNVBAMMD3BsYW50ZWQuZXhhbXBs\n"                       \
	"ZTAeFw0yNjExMzAxNDA0MjhaFw0zNjExMjcxNDA0MjhaMDAxFDASBgNVBAoMC1Bs\n"                       \
	"YW50ZWQgT3JnMRgwFgYDVQQDDA9wbGFudGVkLmV4YW1wbGUwWTATBgcqhkjOPQIB\n"                       \
	"BggqhkjOPQMBBwNCAAS2Udibt4Dx2FEq0MGhTO0C4bW+SQu6J1tns+kgtEAQEH/M\n"                       \
	"NM7NKAS5nfEaOfif+ADBHHDeoy+m8j18ouXRwNv0o3UwczAdBgNVHQ4EFgQUwdNI\n"                       \
	"kwq8AhaSV1rx4wJoX0IcZIQwHwYDVR0jBBgwFoAUwdNIkwq8AhaSV1rx4wJoX0Ic\n"                       \
	"ZIQwDwYDVR0TAQH/BAUwAwEB/zAgBgNVHREEGTAXgg9wbGFudGVkLmV4YW1wbGWH\n"                       \
	"BMAAAk0wCgYIKoZIzj0EAwIDSQAwRgIhAJsX/V5D75+YIhFxi0MXqpKZF6dLCiRX\n"                       \
	"eX6vmnwBB06UAiEAhAIYBhcIEgTHOmWMjf2YGu7cvs8fW/UQmAYmDBPLd4o=\n"                           \
	"-----END CERTIFICATE-----\n"
#define PEM_RSA_2048                                                                               \
	"-----BEGIN CERTIFICATE-----\n"                                                            \
	"MIIDFTCCAf2gAwIBAgIUBBc8aDN/Vb7T1aeeKX82byKnFQQwDQYJKoZIhvcNAQEL\n"                       \
	"BQAwGjEYMBYGA1UEAwwPcGxhbnRlZC5leGFtcGxlMB4XDTI2MTEzMDE0MDQyOVoX\n"                       \
	"DTM2MTEyNzE0MDQyOVowGjEYMBYGA1UEAwwPcGxhbnRlZC5leGFtcGxlMIIBIjAN\n"                       \
	"BgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAzO9EAWD0zg+FIy+dSSEOm70lfTyW\n"                       \
	"5Zxe4bZHjp1YFv8hvJ9+IQiZM7vsh9Ery4znWWTqZF9o9SSDDCLUxz5qDIYnt3V0\n"                       \
	"lzkmrST5Spvlbpa6DUeEsbn9N3ORHL5PS1OeYoLfZuJIfwQ3GzRNjflFY8YqjeAg\n"                       \
	"iEesu7rxwiaogfsyKmG9q/aS02Vjr/tsB44tYCZX8YXSr38jX6w4fRMUiP6pGKIx\n"                       \
	"XSU9JBG87b5oIK8ZSERS273r7i1s1b2YvaKwidPrCPDCXobGohyVKx3vF3Kk2kLJ\n"                       \
	"sEGlVJetWXrpi5Y39Qd4DBvEchIYaUXJtY7vfcmHnjq6fbwAMX/hnq9ouQIDAQAB\n"                       \
	"o1MwUTAdBgNVHQ4EFgQUY1HOh5hh7A6QMOz0dhDM1RbGDF8wHwYDVR0jBBgwFoAU\n"                       \
	"Y1HOh5hh7A6QMOz0dhDM1RbGDF8wDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0B\n"                       \
	"AQsFAAOCAQEAEU3SyCh83yF1s/OTrgBlpqNacLeFvnvmS4TZi+2P4AI2duk0mP6c\n"                       \
	"jQnk50Dn6SA0DUxeo0VrCyYq7fDcYfjPgC2Iz5uzd1IN5HXlhP/Cujw3vcQAAn4t\n"                       \
	"razgMiVThRSoGL6E9/vER3FHPUgT8KDlzPzCSgQqSRJZo1D7L62AM2+DNzKVDalo\n"                       \
	"ym7IWX03J3/By/tYtmbo2vBMf0Ew811aAazsrWiB995F3cAV8HHwLquzUT2l2/OE\n"                       \
	"6tJgusHYp45yxnsqWqBRU9yKRLNUgNdxISiNjb3fMjzvBLXfxdgkD1Wvj97rXYkb\n"                       \
	"GpCAapkEhqwg2ujrTgsJG3az0JReBRTvXQ==\n"                                                   \
	"-----END CERTIFICATE-----\n"
#define PEM_P384                                                                                   \
	"-----BEGIN CERTIFICATE-----\n"                                                            \
	"MIIBxTCCAUygAwIBAgIUTvTIpzcVCvpphtI3GFB4EHg4jiIwCgYIKoZIzj0EAwIw\n"                       \
	"GjEYMBYGA1UEAwwPcGxhbnRlZC5leGFtcGxlMB4XDTI2MTEzMDE0MDQyOVoXDTM2\n"                       \
	"MTEyNzE0MDQyOVowGjEYMBYGA1UEAwwPcGxhbnRlZC5leGFtcGxlMHYwEAYHKoZI\n"                       \
	"zj0CAQYFK4EEACIDYgAEXe5Ur2Ild9iyktY6FlAA/Nnz75bwD3d0Nw+3p7nUDUIH\n"                       \
	"zuWpKJdl+XOlyb/5+sVL0tONPWWPDkWkIo1qjGwWHzElvwybSsC9iqlDb9K1cjNz\n"                       \
	"2ud9ECoj/GB6R1/bZAICo1MwUTAdBgNVHQ4EFgQUdwqmZIAIngsF434qszzjkNFV\n"                       \
	"Hr8wHwYDVR0jBBgwFoAUdwqmZIAIngsF434qszzjkNFVHr8wDwYDVR0TAQH/BAUw\n"                       \
	"AwEB/zAKBggqhkjOPQQDAgNnADBkAjBlkMJh0B2JBlK7u+UqkSn/Z7TMSyVKeL5p\n"                       \
	"SsgbaYg4LTM2YRJXqEjvRM/FwS/0vSMCMBD89xEC9k0O4bPwQhc7aw2jUdoPP1LB\n"                       \
	"7op5roI4HMHUJ6sQHmfe/QyvrG83qE46GQ==\n"                                                   \
	"-----END CERTIFICATE-----\n"
#define PEM_ED25519                                                                                \
	"-----BEGIN CERTIFICATE-----\n"                                                            \
	"MIIBSDCB+6ADAgECAhRKyi4s5OOubVGbLeCmhgZokYAFwTAFBgMrZXAwGjEYMBYG\n"                       \
	"A1UEAwwPcGxhbnRlZC5leGFtcGxlMB4XDTI2MTEzMDE0MDQyOVoXDTM2MTEyNzE0\n"                       \
	"MDQyOVowGjEYMBYGA1UEAwwPcGxhbnRlZC5leGFtcGxlMCowBQYDK2VwAyEAsaSl\n"                       \
	"zrAlfmldaVhFqDJSZ8fDjpLM+BVrfPxGRuQhwq6jUzBRMB0GA1UdDgQWBBTJkZMd\n"                       \
	"Q14JehxNxQOz/844A46+FTAfBgNVHSMEGDAWgBTJkZMdQ14JehxNxQOz/844A46+\n"                       \
	"FTAPBgNVHRMBAf8EBTADAQH/MAUGAytlcANBACfrFAWIjTadZYjO/03zOTpPLDB2\n"                       \
	"rvAOa61TMlufoapW5i4WjRQZd6h/MUM2EBB6RyhhQU5J8goIi87OqCIMPgw=\n"                           \
	"-----END CERTIFICATE-----\n"
