// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/known.h"

/* RFC 6979 A.2.5, as DER (SEC 1, RFC 5480). */
#define SIGN_P256_PRIVATE                                                                          \
	"30770201010420c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b"                         \
	"8a622b120f6721a00a06082a8648ce3d030107a1440342000460fed4ba255a9d"                         \
	"31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc"                         \
	"99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"

#define SIGN_P256_PUBLIC                                                                           \
	"3059301306072a8648ce3d020106082a8648ce3d0301070342000460fed4ba25"                         \
	"5a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008"                         \
	"b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"

#define SIGN_P256_SIGNATURE                                                                        \
	"3046022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0e"                         \
	"a84eaf3716022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff406"                         \
	"4dc4ab2f843acda8"

#define SIGN_P256_DIGEST "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf"

/* NIST CAVP, ECC CDH primitive, P-256, count 0. */
#define AGREE_P256_PRIVATE                                                                         \
	"307702010104207d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed8"                         \
	"0badb62bc1a534a00a06082a8648ce3d030107a14403420004ead218590119e8"                         \
	"876b29146ff89ca61770c4edbbf97d38ce385ed281d8a6b23028af61281fd35e"                         \
	"2fa7002523acc85a429cb06ee6648325389f59edfce1405141"

#define AGREE_P256_PEER                                                                            \
	"3059301306072a8648ce3d020106082a8648ce3d03010703420004700c48f77f"                         \
	"56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287db71e509e3"                         \
	"fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac"

#define AGREE_P256_SECRET "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"

/* Keys of ours; the signatures of SHA-256("abc") were raised to the private power by Python. */
#define RSA_2048_PRIVATE                                                                           \
	"308204a30201000282010100b8bb7426de602291a8e406ddcad0faf55a2bf591"                         \
	"c426df9cfedfd6ffeceeed7bbddb597053c53b47ffe24631a6e151fa119007ee"                         \
	"3abd40bb0280a6d7d9811bb31b758e1e2844d5940351a4a24bb058dc7dcee80c"                         \
	"1262929880053ca9f90abee85084474dcb9c7e0056a625303b2c2bf7147f6839"                         \
	"939a72f6bf32ff085157f20544f144ce5074331a5b18ecb4501088c9d3357c65"                         \
	"5f898e3a89426ae278cedf9068e2a044d65552a26e17dc4fd169ff9c9c3e07aa"                         \
	"37398900eef2a898ef7d0218b97e119b33ebda9280e69d56dff32a7b766137b5"                         \
	"ed7daa7f2ae95aecdd27af35962c0c4828c4c76449694d0fff08135658ce59ff"                         \
	"90402f689d8c5d8ee3206c970203010001028201002c0876abcb26e4268f38e7"                         \
	"5017c78f824b3f9e35e42915f520a5af646a901b287b3d5d48d296f945f4bef5"                         \
	"57617d64e2742c3e4fb14daa2fc96d6c17985f57806e63ab8011be32a0a8d7dd"                         \
	"a3d7e1cd94a5225c1a808961831b44e44c69b1ff8675a6ca2e4781e260e7468c"                         \
	"27be7b0d71c43f8852ed158c20b7bb8aa1eb6dc8a0c3977ed878210f93e26063"                         \
	"2bd7b01266347168e1a561275bf251d36d133324d6d702d700d04d5b800e8686"                         \
	"930a0bdb05be507564ed1d93c2392551697f8837225900c39858fd441348d469"                         \
	"669a3bcef118347dc194917eba008a1f8963777cc6e97065fd374e9222df5722"                         \
	"1b36be51763adcc57125e9dd6283a396817e6bb31102818100f330266ebe8a69"                         \
	"5c73ef9b9f2374104e51cbd3430d100208843a277bcff3afaead6f58a16f3376"                         \
	"f36d02f5e8feea5cd54badf3fa5800b0de7bd8272e567cfcfaf825bcea4fff48"                         \
	"86a7249493ed27806a042d27ae28f05b37226991cd0a4b8d77a830a65dcb60ae"                         \
	"1a3f00946271ef56053bc0968ead786c64de407d325e1a602702818100c276ea"                         \
	"928d6c2a3bba6f5b5aa0a540c49d0e8e69be59945f0684e332e5a69f794ffc37"                         \
	"08fa11cb137c1c58b891f735160919de84e30e845901788330748269f91e4d61"                         \
	"db4cdc5662dab48902ddc7a36663a2218c2edb8a23435a7a550ae649c53c2781"                         \
	"b71d9f33ac9efef8fe6d413f1924efabb250e5a5e3358a3aa7f83be611028181"                         \
	"0088e33f9ef2ce428472161bc93651aca40952ec363ff214d2ea6b39b26dd9c3"                         \
	"b85593e995e55c58c6a944135bf5b1c253a5e7e2ffb5ed9da17ea0ab5d5ffdb7"                         \
	"0126114807b4c403f517bc758dd6de776035bd9d2a618cfa2b4cc993f290aafa"                         \
	"94b22dc057e795222b4fef6997087f2a3283f1e24da9c3b1700dd2cb2640e623"                         \
	"dd0281802744c0258bed55b1edf9e2a6b05dee70458ed4ef4182f1552709da9f"                         \
	"42849d1b702d6c27a1e7c9ec4b59a608cf60ee155f0d1c44155daf181215f5d7"                         \
	"e90f14bb3b8540c77a03dc65e5e822eab342471abbefd77a6953e7d72b18b02f"                         \
	"501e24b3716c40e36b55e4a76d0bebd7e4d4121bcfbb9e1e49fbb5bde5e7dde4"                         \
	"615a2721028180752e487f0c60a272d4bda4d6665f6ab1f4bd1c3b6b0ad02170"                         \
	"c9776ca0731eda5dfd2a37ea8793583469dcf15f384303d35d0bcd0d45686fcf"                         \
	"d8326f4e4bdb1f8678632bab740a213c2560c8b5ce33ed59aaa87507c904483a"                         \
	"75e354748e293658aa1913b53872ff3725c7bd416a68a35bf6ef88d1a44f1ba4"                         \
	"2ff6c4a15282fe"

#define RSA_2048_PUBLIC                                                                            \
	"30820122300d06092a864886f70d01010105000382010f003082010a02820101"                         \
	"00b8bb7426de602291a8e406ddcad0faf55a2bf591c426df9cfedfd6ffeceeed"                         \
	"7bbddb597053c53b47ffe24631a6e151fa119007ee3abd40bb0280a6d7d9811b"                         \
	"b31b758e1e2844d5940351a4a24bb058dc7dcee80c1262929880053ca9f90abe"                         \
	"e85084474dcb9c7e0056a625303b2c2bf7147f6839939a72f6bf32ff085157f2"                         \
	"0544f144ce5074331a5b18ecb4501088c9d3357c655f898e3a89426ae278cedf"                         \
	"9068e2a044d65552a26e17dc4fd169ff9c9c3e07aa37398900eef2a898ef7d02"                         \
	"18b97e119b33ebda9280e69d56dff32a7b766137b5ed7daa7f2ae95aecdd27af"                         \
	"35962c0c4828c4c76449694d0fff08135658ce59ff90402f689d8c5d8ee3206c"                         \
	"970203010001"

#define RSA_2048_SIGNATURE                                                                         \
	"02c634bae35300fffaefb8fdae34c4637a63dc04a2a4c5f05127336684a5c247"                         \
	"31168cc49fe3ebd2cacbae964e7012a3fcaf129fcd7ce0e9939a349440cd497f"                         \
	"7d262a1086251e26c8768149bdf390356a96e2073ea40e639132193266e40040"                         \
	"74a6ba68c189b43e9bab2bd17fb4086fbe50a41649a37661f1a43cf4e7dfcc34"                         \
	"6bff6ca5553ecba43bc372e54397e92159804ef5cacba84c41650a82ccbc7721"                         \
	"6251e9afcf24ce0bc0e6f2734b77b142eef502b9be002e9579d1419d3d73a34f"                         \
	"8612bac97432e1ec7eed20e7d77b89423a7b15593270d27a192c08cd6f8ffa4e"                         \
	"b7301668443cb56f263ead3707ecaab22f122bb7bc6a6b46cad8fd0bee2a8360"

#define RSA_4096_PRIVATE                                                                           \
	"308209280201000282020100aeedf28c6610c700c28bf328a48621d8d264d617"                         \
	"01438c3050a7d04f61bcd6f0f89e10807767c017cd58b88ee270b53e1d483ef2"                         \
	"fd11d83f4803fdcf4bcd8685e216647d05f3e1a6333dc19c4d959051e512d3f4"                         \
	"1cec62723466f04ebeffcf2b97ed250993fb4bfdf2303da798781d7b809014ea"                         \
	"bbfa62f6cda68d2eb7bc2cc741b6d2d305c6d333ca229330e9555b12e71d6f89"                         \
	"84e4720070248fa4628e1bce8366df4ce27deb2b3f43d41152a91aeafdf7a685"                         \
	"e9f51aed3bec29c6a4863a3006d664bc6d858b33e137554d1bee9ca31a3aaa09"                         \
	"8fa5fab2613b7ec78ace18899824914e4a36952c9ed5cee820c5a09090a260ae"                         \
	"0f16f87a02d1ca67f9f0979940e7f9f34cd32b860d81717c19f94705d044e557"                         \
	"3576144658793ff1c2cc99721365b9f1c29f46782000884867687e609cf60c4b"                         \
	"f5953960d88091ca934f4083acf74ed9bb82616be823616a3f977d3312a760cd"                         \
	"6087808b6f68c15666b1326a3c078e86bc6672978af7a9c8983b32971182243d"                         \
	"a735c6f142890235de4bc32dc93d0874343dbd7b6bceaa63d5c5326f4992b6ac"                         \
	"c35abda485b19806de4bfdfe868a6e9f64c5ce3499e064280f99b753d38aa32c"                         \
	"6cac262358c3387d66c9e7d696654956f9164bb8e5254030269d9038ff405dfc"                         \
	"56722540dd64e3f52a3b4d5a17c816a5e22ed31e4d0db323fd9f1031829291ee"                         \
	"d326380171f46fde1719ac13020301000102820200272c39e89ee29aeddca322"                         \
	"6cb38b26013bfc40c51e0f56516b7e68f39ddb7ff6ae761713eda95a26fa6127"                         \
	"d3377a2ddc1f0a92ae2f65d39b38314ca123447f1f7425b79317c6297de273ad"                         \
	"eba6a41b917b4ee010067a1901a2227b25e737b9d8f548b1c69750eb0f8f30a6"                         \
	"5de592e0674bbef83028b04581274468d1516bde4b30b81436155114f2c00d46"                         \
	"10e9efa759704ff32e448833cf4d4da2ad1934e19d3967cc119796c317082fd4"                         \
	"499ccd29adfdf97b5cf9ab5dc04a6ef45bfb73e38be5bc150aed2bbea47b86bc"                         \
	"9f6be5df45d715d4061818ff2efaff2bc0dba093761c8ff3ca286c58b3894e2f"                         \
	"eb638b5e0d81961b385f40b19c010da1d9eeeaa5c7d91b180fc80af979a448de"                         \
	"ec09f506d3215f01b940301ad7059ad9d28736988e35ef83d0057f139b881a3f"                         \
	"1d22b41a2cbb7372536538276c7d61d3d28f0804464fdc7acc6f6fb7815fd29a"                         \
	"e074a37619a5cf716c66a13e8e8bbe5914a9f82bc85cb0d7af082cf23c76855c"                         \
	"3a33669ef207d75ea94566e0dac1d3a140a5d9a1c1606d69349dd139bf331a01"                         \
	"36bc24f0ebf521dd62594be12af6eaac336a1bee1d2a8ff4eccfe3aa61144514"                         \
	"f62db3641700c382f92bbe9ba1c877a3595dbb48ad32f5ae035075b6ee428243"                         \
	"c9a583246b9b81644a30c439c3ecd5cf87f47cee7f017e8a34aa6cc6b77b0e67"                         \
	"56f4b7d9a227057ab91762a54829f5cde375e62e410282010100dc19a9cd1b01"                         \
	"f22ace015347a7805b72e16988d4f4ad6d93789f5a4400ce4c617114180877f5"                         \
	"5d946989091314738b72f644b079088ff35c7187a039b449643dfec95b6769db"                         \
	"1d156758dac6317701d588ce167983582e92edc23da83c76dddb8c8ea547279a"                         \
	"16f716d2412cd07c35b729fc906f93b8e9fdf7144c1460d8b7bcaf78fdecd154"                         \
	"8d866bd37e4fbb8626150c6f6dd42e0f6d5db262c40170721d8b6a06572ece2f"                         \
	"35faa3f50f08404d27b8f94d8a41d524e263b539e0f2d8799bf99e29ae1b439f"                         \
	"f0bb8c53f1564d96510488da5f019e3fc505846e37ca377ec2b79ccc7e7b2db0"                         \
	"57998e34b99ef618a27a0d17e00913ea5ba81c3e91cae5fe24fb0282010100cb"                         \
	"762b1e72a8a8b46363df9a179bb943aaa68ef3648dd94cc9a163f1fa7d928bab"                         \
	"eae51c8d73f490e5769a8028dc95234760f2c3cafa963eedaa499d1a01afa568"                         \
	"5b65a67883c542c4d2276a8011a45f7e630982ae685fdbffa5741178386a7500"                         \
	"1c1affcf7a78a0ca135bead726d70bbe54b12b273b2aa65b76551215ef63719e"                         \
	"ea5185f02bb079111fde20d8f194acbed0c49ef91a02a37bc87594b443a660f5"                         \
	"5a721001d27da12dfacd022de28b18fd14e9872fc753ede5a8414410c77f6ae5"                         \
	"57fcc277f942fce7377c8de9459748001d4b992847f62c4d00811627bfc4d3bd"                         \
	"a8d911fe7fb7f02a8b9fa096caa056646420a743401af4f18cfb9134fc79c902"                         \
	"820100346797da51f7e0a4f86fb0587b354090d5c2bee5956c458ebb4595c463"                         \
	"3cbb4ae81594b34f7c884f71e142dbdc1eb6b12499ae3ae323031a9b9d6334da"                         \
	"0c2f65e36825ef35710a37b267a18f56efb2ec18aa99074d928d64465fdd3655"                         \
	"4f27fbc237a47a909f4ba0813a86721921b9d86692d00100f7221f69d8d75472"                         \
	"caa6d4b222e8b29e14b7adadb6a9786a79c24f78aa7f47e9bf9a969886938c94"                         \
	"2d57837e370c4304ac90f9a05814c02e2f30aa0611c43d70765bc0c9c18221d0"                         \
	"11046626965df1f7e3f8f96eabfde6428aebb75cae41b8ace91a0bfa4013e07d"                         \
	"de1c96832add628eba51e129cebbf3713ce452931380302921bfb9032092adf0"                         \
	"9cd64902820101008ef51896ec3955506a0562b7029f882ce35ae4565ff0cb1e"                         \
	"090e3d0b68d5928250e95ad21511c4658ad52af9a1bc5b8dce397059e1e4f06c"                         \
	"86d17fa7c2fe2c4c2c670ba54c4849f200192958cb6399fafef2d75bdaefbb6a"                         \
	"f8d568185e40458cafe70f916e56bf2b3ad11f648287e7d1788a4971e8bec9d8"                         \
	"d9aaeb5b29ce6a310b57d8b023708f2e81b9c27991f52c61b4313bf5f7512f49"                         \
	"6f500a4dd1db36ac29b8c32c3c1b89ea164482876576280606cd0ac8d1e95c2f"                         \
	"6b8e2d4d85fca6aa953a9d7e868dbd63b5926711cf35f675c09ed4df684e27ca"                         \
	"38d081e2ef4aef2157c1abc3d8ee246fbb751f53d69fc8c8eb00ef7096f01400"                         \
	"c738280a7f106701028201001d27a08f86145476cd080df65dee754e31c955b7"                         \
	"d408ad46c87e72bf9855176bcf2a2681c5edf4ca1835092c8f5eb2f387ac0d9e"                         \
	"88f237e8d09c98726b631fbf7a56bd996e24fd7e48ec472e6e30f6191db320bf"                         \
	"e633c45d3703bfde69ef364e5b692602b5bd792c245684aa08a2e2ab7a583aa7"                         \
	"1f7c0b47bea3281a240b4a00ec8e149d1f86dc3b2d0a7569ed0ccc2ac4cb6cd3"                         \
	"dd506fee595fc6af98df814dc9645978bfff6df0e4d81912d60003be50fe1391"                         \
	"3566d42f56900b3d3865949b8f5ce790aff6a092cc1b9d90b9c54d837ec82835"                         \
	"4756d0de61a0a5e776d9140883082cc6ffbb70bfee9dd84a275dcec88362bc26"                         \
	"08ff61106d2045e9329c0a22"

#define RSA_4096_PUBLIC                                                                            \
	"30820222300d06092a864886f70d01010105000382020f003082020a02820201"                         \
	"00aeedf28c6610c700c28bf328a48621d8d264d61701438c3050a7d04f61bcd6"                         \
	"f0f89e10807767c017cd58b88ee270b53e1d483ef2fd11d83f4803fdcf4bcd86"                         \
	"85e216647d05f3e1a6333dc19c4d959051e512d3f41cec62723466f04ebeffcf"                         \
	"2b97ed250993fb4bfdf2303da798781d7b809014eabbfa62f6cda68d2eb7bc2c"                         \
	"c741b6d2d305c6d333ca229330e9555b12e71d6f8984e4720070248fa4628e1b"                         \
	"ce8366df4ce27deb2b3f43d41152a91aeafdf7a685e9f51aed3bec29c6a4863a"                         \
	"3006d664bc6d858b33e137554d1bee9ca31a3aaa098fa5fab2613b7ec78ace18"                         \
	"899824914e4a36952c9ed5cee820c5a09090a260ae0f16f87a02d1ca67f9f097"                         \
	"9940e7f9f34cd32b860d81717c19f94705d044e5573576144658793ff1c2cc99"                         \
	"721365b9f1c29f46782000884867687e609cf60c4bf5953960d88091ca934f40"                         \
	"83acf74ed9bb82616be823616a3f977d3312a760cd6087808b6f68c15666b132"                         \
	"6a3c078e86bc6672978af7a9c8983b32971182243da735c6f142890235de4bc3"                         \
	"2dc93d0874343dbd7b6bceaa63d5c5326f4992b6acc35abda485b19806de4bfd"                         \
	"fe868a6e9f64c5ce3499e064280f99b753d38aa32c6cac262358c3387d66c9e7"                         \
	"d696654956f9164bb8e5254030269d9038ff405dfc56722540dd64e3f52a3b4d"                         \
	"5a17c816a5e22ed31e4d0db323fd9f1031829291eed326380171f46fde1719ac"                         \
	"130203010001"

#define RSA_4096_SIGNATURE                                                                         \
	"67d8584c9672ea9297b9ab2413908b892e3cdd3ea872a29aa3617c8b4e8fdbe6"                         \
	"f7221ba137bf3c0a25f6f570092e673af944df7efdc54763c857b172ff96b47a"                         \
	"b66835ce4944fb0a681a6ea2c5a1643340bbbab5c321b30336cabcf08c613e91"                         \
	"1d5a4107a9a12301e54f2b292e494057e3e2c8e018e6c77eeb41203c429be248"                         \
	"01f7e98b1897d3b2d8eef919eb302ad98cfee914594868130eb6b6a5ca088c93"                         \
	"4f7b92d95b5b09ca911f9fc9ece528685699b8615596df3de916132027c20322"                         \
	"5c025f6884fe5767cafe5e4204b1909d4664c9fda0375cdcf32a9d59ace71905"                         \
	"b5d98b67a711d7125b67561a7640a4d2878a039d7855497010b457295877d9b3"                         \
	"de4de82af6392dbfe1b63fd77838861a06a7bf690bd3cb03c53ece23b44b1d08"                         \
	"7c6682d94598c1662bec10cbbb96886bf052ca611edb3b9c26b3050a51b40863"                         \
	"1f66a2967bb00e98f72e6babc8ff7fe439d69521e076ef7e0898fb4054ba6536"                         \
	"e06e4effbe2a280735768dc14ea0803712f57626e9293b997977313d29d3aced"                         \
	"16a210d1ef163c3d2b3bea6119b169a19851f464c7b6fb1e2df66ab84fd7090f"                         \
	"a7da6a0ba32f1e8cba7b3074002e94661de6475a8bcf1c49b5628365ed497970"                         \
	"62cfe77d71ac017f86aeddb9c8419c82c876b5a6519caf3a4e284133950eda6b"                         \
	"c9e6aa4f8600d4b3180a11110997db6b4e91208ebc8e5aaac487d3a80c7d2759"

/* RFC 8032 section 7.1, test 2. */
#define ED25519_PRIVATE "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
#define ED25519_PUBLIC "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
#define ED25519_SIGNATURE                                                                          \
	"92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"                         \
	"085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"

/* RFC 7748 section 5.2. */
#define X25519_PRIVATE "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"
#define X25519_PEER "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"
#define X25519_SECRET "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"

#define ABC_SHA256 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define RSA_SOURCE "RFC 8017 section 8.2, signed by Python"
#define RIGHT "01"

#define SIGN(label, from, secret, open, message, signature)                                        \
	{                                                                                          \
		label "-sign", from, .key = secret, .peer = open, .in = message, .out = signature  \
	}
#define VERIFY(label, from, secret, open, message, signature)                                      \
	{                                                                                          \
		label "-verify", from, .key = secret, .peer = open, .in = message,                 \
				       .tag = signature, .out = RIGHT                              \
	}

/* What ECDSA signs has no one answer: its row is judged by the verification. */
static const struct known rows[] = {
	SIGN("rsa-2048", RSA_SOURCE, RSA_2048_PRIVATE, RSA_2048_PUBLIC, ABC_SHA256,
	     RSA_2048_SIGNATURE),
	VERIFY("rsa-2048", RSA_SOURCE, RSA_2048_PRIVATE, RSA_2048_PUBLIC, ABC_SHA256,
	       RSA_2048_SIGNATURE),
	SIGN("rsa-4096", RSA_SOURCE, RSA_4096_PRIVATE, RSA_4096_PUBLIC, ABC_SHA256,
	     RSA_4096_SIGNATURE),
	VERIFY("rsa-4096", RSA_SOURCE, RSA_4096_PRIVATE, RSA_4096_PUBLIC, ABC_SHA256,
	       RSA_4096_SIGNATURE),
	SIGN("ecdsa-p256", "RFC 6979 A.2.5, by its verification", SIGN_P256_PRIVATE,
	     SIGN_P256_PUBLIC, SIGN_P256_DIGEST, NULL),
	VERIFY("ecdsa-p256", "RFC 6979 A.2.5", SIGN_P256_PRIVATE, SIGN_P256_PUBLIC,
	       SIGN_P256_DIGEST, SIGN_P256_SIGNATURE),
	SIGN("ed25519", "RFC 8032 section 7.1, test 2", ED25519_PRIVATE, ED25519_PUBLIC, "72",
	     ED25519_SIGNATURE),
	VERIFY("ed25519", "RFC 8032 section 7.1, test 2", ED25519_PRIVATE, ED25519_PUBLIC, "72",
	       ED25519_SIGNATURE),
	{"ecdh-p256", "NIST CAVP ECC CDH P-256, count 0", .key = AGREE_P256_PRIVATE,
	 .peer = AGREE_P256_PEER, .out = AGREE_P256_SECRET},
	{"x25519", "RFC 7748 section 5.2", .key = X25519_PRIVATE, .peer = X25519_PEER,
	 .out = X25519_SECRET},
};

const struct known_table known_keys = {rows, sizeof(rows) / sizeof(rows[0])};
