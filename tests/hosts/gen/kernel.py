# SPDX-License-Identifier: BSD-2-Clause
"""What the kernel and firmware of a described machine show besides CPUs, memory and PCI."""
import base64
import struct

import planted
import smbios

# name, driver, module, priority, type
AES_CE = [('gcm(aes)', 'gcm-aes-ce', 'ghash_ce', 300, 'aead'), ('rfc4106(gcm(aes))', 'rfc4106-gcm-aes-ce', 'ghash_ce', 300, 'aead'),
          ('cbc(aes)', 'cbc-aes-ce', 'aes_ce_blk', 300, 'skcipher'), ('ctr(aes)', 'ctr-aes-ce', 'aes_ce_blk', 300, 'skcipher'),
          ('xts(aes)', 'xts-aes-ce', 'aes_ce_blk', 300, 'skcipher'), ('ecb(aes)', 'ecb-aes-ce', 'aes_ce_blk', 300, 'skcipher'),
          ('__cbc(aes)', 'cryptd(__cbc-aes-ce)', 'cryptd', 350, 'internal'), ('aes', 'aes-ce', 'aes_ce_cipher', 250, 'cipher')]
AES_NEON = [('cbc(aes)', 'cbc-aes-neonbs', 'aes_neon_bs', 250, 'skcipher'), ('ctr(aes)', 'ctr-aes-neonbs', 'aes_neon_bs', 250, 'skcipher'),
            ('xts(aes)', 'xts-aes-neonbs', 'aes_neon_bs', 250, 'skcipher'), ('aes', 'aes-arm64', 'aes_arm64', 200, 'cipher')]
CHACHA = [('chacha20', 'chacha20-neon', 'chacha_neon', 300, 'skcipher'),
          ('chacha20', 'chacha20-generic', 'kernel', 100, 'skcipher')]
SHA_CE = [('sha1', 'sha1-ce', 'sha1_ce', 200, 'shash'), ('sha256', 'sha256-ce', 'sha2_ce', 200, 'shash')]
SHA_ARM64 = [('sha256', 'sha256-arm64-neon', 'sha256_arm64', 150, 'shash'), ('sha256', 'sha256-arm64', 'sha256_arm64', 125, 'shash'),
             ('sha512', 'sha512-arm64', 'sha512_arm64', 150, 'shash')]
SHA512_CE = [('sha512', 'sha512-ce', 'sha512_ce', 200, 'shash'), ('sha3-512', 'sha3-512-ce', 'sha3_ce', 200, 'shash')]
GENERIC = [('aes', 'aes-generic', 'kernel', 100, 'cipher'), ('sha1', 'sha1-generic', 'kernel', 100, 'shash'),
           ('sha256', 'sha256-generic', 'kernel', 100, 'shash'), ('sha512', 'sha512-generic', 'kernel', 100, 'shash'),
           ('ghash', 'ghash-generic', 'kernel', 100, 'shash'), ('stdrng', 'drbg_nopr_hmac_sha256', 'kernel', 221, 'rng')]
GENERIC_AES = [('cbc(aes)', 'cbc(aes-generic)', 'cbc', 100, 'skcipher'), ('ctr(aes)', 'ctr(aes-generic)', 'ctr', 100, 'skcipher'),
               ('xts(aes)', 'xts(ecb(aes-generic))', 'xts', 100, 'skcipher'),
               ('chacha20', 'chacha20-generic', 'kernel', 100, 'skcipher'),
               ('gcm(aes)', 'gcm_base(ctr(aes-generic),ghash-generic)', 'gcm', 100, 'aead')]
ESP = [('rfc4106(gcm(aes))', 'rfc4106(gcm_base(ctr(aes-generic),ghash-generic))', 'gcm', 100, 'aead'),
       ('authenc(hmac(sha256),cbc(aes))', 'authenc(hmac(sha256-generic),cbc(aes-generic))', 'authenc', 100, 'aead')]
LIB = [('sha1', 'sha1-lib', 'kernel', 300, 'shash'), ('sha256', 'sha256-lib', 'kernel', 300, 'shash'), ('sha512', 'sha512-lib', 'kernel', 300, 'shash')]
X86 = [('gcm(aes)', 'generic-gcm-aesni', 'aesni_intel', 400, 'aead'), ('cbc(aes)', 'cbc-aes-aesni', 'aesni_intel', 400, 'skcipher'),
       ('ctr(aes)', 'ctr-aes-aesni', 'aesni_intel', 400, 'skcipher'), ('aes', 'aes-aesni', 'aesni_intel', 300, 'cipher'),
       ('sha1', 'sha1-ni', 'sha1_ssse3', 250, 'shash'), ('sha256', 'sha256-ni', 'sha256_ssse3', 250, 'shash'),
       ('sha512', 'sha512-avx2', 'sha512_ssse3', 170, 'shash')]
CRYPTO = {
    'n1': AES_CE + AES_NEON + SHA_CE + SHA_ARM64 + CHACHA + GENERIC,
    'n1-lib': AES_CE + LIB + CHACHA + GENERIC[:1],
    'v86': AES_CE + AES_NEON + SHA_CE + SHA512_CE + SHA_ARM64 + CHACHA + GENERIC,
    'v86-without-sha512-ce': AES_CE + AES_NEON + SHA_CE + SHA_ARM64 + CHACHA + GENERIC,
    'generic-instances': GENERIC + GENERIC_AES + ESP,
    'unloaded': GENERIC,
    'neon-only': AES_NEON + SHA_ARM64 + CHACHA + GENERIC + GENERIC_AES[-1:],
    'x86': X86 + GENERIC,
    'none': [],
}
# Modules of the arm64 kernel that give the accelerated drivers, with the algorithms in modules.alias.
MODULES = {
    'aes_ce_blk': ['crypto-ecb(aes)', 'crypto-cbc(aes)', 'crypto-ctr(aes)', 'crypto-xts(aes)'],
    'aes_ce_cipher': ['crypto-aes'], 'ghash_ce': ['crypto-ghash', 'crypto-gcm(aes)', 'crypto-rfc4106(gcm(aes))'],
    'sha1_ce': ['crypto-sha1'], 'sha2_ce': ['crypto-sha224', 'crypto-sha256'],
    'sha512_ce': ['crypto-sha384', 'crypto-sha512'], 'sha3_ce': ['crypto-sha3-512'],
    'sha256_arm64': ['crypto-sha224', 'crypto-sha256'], 'sha512_arm64': ['crypto-sha384', 'crypto-sha512'],
    'aes_neon_bs': ['crypto-ecb(aes)', 'crypto-cbc(aes)', 'crypto-ctr(aes)', 'crypto-xts(aes)'],
    'aes_arm64': ['crypto-aes'], 'chacha_neon': ['crypto-chacha20', 'crypto-xchacha20'],
}
FOLDERS = {'vfio_pci': 'drivers/vfio/pci/vfio-pci', 'vfio': 'drivers/vfio/vfio', 'vfio_iommu_type1': 'drivers/vfio/vfio_iommu_type1',
           'mlx5_core': 'drivers/net/ethernet/mellanox/mlx5/core/mlx5_core'}


def crypto_text(rows):
    out = []
    for name, driver, module, priority, type_ in rows:
        internal = type_ == 'internal'
        out.append(f'name         : {name}\ndriver       : {driver}\nmodule       : {module}\npriority     : {priority}\n'
                   f'refcnt       : 1\nselftest     : passed\ninternal     : {"yes" if internal else "no"}\n'
                   f'type         : {"skcipher" if internal else type_}\n')
        if type_ in ('cipher', 'skcipher', 'internal'):
            out.append('blocksize    : 16\nmin keysize  : 16\nmax keysize  : 32\n')
        out.append('\n')
    return ''.join(out)


def build(tree, machine):
    spec = machine.get('kernel', {})
    release = machine['live'].get('kernel')
    tree.line('/proc/cmdline', spec.get('cmdline', ''))
    if release:
        tree.line('/proc/sys/kernel/osrelease', release)
        tree.line('/proc/version', f'Linux version {release} (builder@{planted.HOST_NAME}) (gcc 13.2.0) #1 SMP')
    tree.line('/proc/sys/kernel/ostype', 'Linux')
    tree.line('/proc/sys/kernel/hostname', planted.HOST_NAME)
    tree.line('/etc/hostname', planted.HOST_NAME)
    tree.text('/etc/hosts', f'127.0.0.1 localhost\n{planted.IPV4} {planted.HOST_NAME}.{planted.DOMAIN} {planted.HOST_NAME}\n'
              f'{planted.IPV6} {planted.HOST_NAME}.{planted.DOMAIN}\n')
    tree.line('/etc/machine-id', planted.UUID.replace('-', ''))
    for name, value in spec.get('sysctl', {}).items():
        tree.line(f'/proc/sys/{name}', value)
    if spec.get('thp'):
        base = '/sys/kernel/mm/transparent_hugepage'
        tree.line(f'{base}/enabled', _choice(('always', 'madvise', 'never'), spec['thp']))
        tree.line(f'{base}/defrag', _choice(('always', 'defer', 'defer+madvise', 'madvise', 'never'), spec.get('thp_defrag', 'madvise')))
    if 'crypto' in spec:
        tree.text('/proc/crypto', crypto_text(CRYPTO[spec['crypto']] + [tuple(r) for r in spec.get('crypto_rows', [])]))
    _modules(tree, spec, release)
    _mounts(tree, spec)
    _processes(tree, spec)
    _soc(tree, spec.get('soc'))
    _edac(tree, spec)
    for name, value in spec.get('efivars', {}).items():
        tree.data(f'/sys/firmware/efi/efivars/{name}', bytes.fromhex(value))
    if spec.get('efi', True):
        tree.line('/sys/firmware/efi/fw_platform_size', 64)
        tree.dir('/sys/firmware/efi/efivars')
    if spec.get('model'):
        tree.data('/sys/firmware/devicetree/base/model', spec['model'].encode() + b'\0')
        tree.data('/sys/firmware/devicetree/base/compatible', spec.get('compatible', '').replace(' ', '\0').encode() + b'\0')
        tree.link('/proc/device-tree', '/sys/firmware/devicetree/base')
    _dmi(tree, machine)
    _virtual(tree, machine.get('virtualization', {}))


def acpi_config(cppc, lpi, apei=1):
    """AcpiConfigNVData as efivarfs shows it: 4 bytes of attributes, then APEI, CPPC, LPI and 6 reserved words (edk2-platforms)."""
    return struct.pack('<10I', 7, apei, cppc, lpi, 0, 0, 0, 0, 0, 0).hex()


def _choice(words, chosen):
    return ' '.join(f'[{w}]' if w == chosen else w for w in words)


def _modules(tree, spec, release):
    loaded = list(spec.get('modules', []))
    for row in CRYPTO.get(spec.get('crypto', 'none'), []):
        if row[2] not in loaded and row[2] not in ('kernel',) and row[2] not in spec.get('builtin', []):
            loaded.append(row[2])
    tree.text('/proc/modules', ''.join(f'{m} 49152 0 - Live 0x0000000000000000\n' for m in loaded))
    for module in loaded + spec.get('builtin', []):
        tree.line(f'/sys/module/{module}/refcnt', 0)
    for path, value in spec.get('parameters', {}).items():
        module, name = path.split('.')
        tree.line(f'/sys/module/{module}/parameters/{name}', value)
    if not release or spec.get('module_files') is False:
        return
    base = f'/usr/lib/modules/{release}'
    installed = spec.get('installed', list(MODULES) + ['vfio_pci', 'vfio', 'vfio_iommu_type1', 'mlx5_core'])
    builtin = spec.get('builtin', [])
    aliases, deps = ['# Aliases extracted from modules themselves.\n'], []
    for module in installed:
        folder = FOLDERS.get(module, f'arch/arm64/crypto/{module.replace("_", "-")}')
        deps.append(f'kernel/{folder}.ko:\n')
        tree.data(f'{base}/kernel/{folder}.ko', b'\x7fELF')
        aliases += [f'alias {a} {module}\n' for a in MODULES.get(module, [])]
        if module == 'vfio_pci':
            aliases.append('alias vfio_pci:v*d*sv*sd*bc*sc*i* vfio_pci\n')
    tree.text(f'{base}/modules.alias', ''.join(aliases))
    tree.text(f'{base}/modules.dep', ''.join(deps))
    tree.text(f'{base}/modules.builtin', ''.join(f'kernel/{FOLDERS.get(m, f"arch/arm64/crypto/{m}")}.ko\n' for m in builtin))


def _mounts(tree, spec):
    rows = ['proc /proc proc rw,relatime 0 0', 'sysfs /sys sysfs rw,relatime 0 0', '/dev/nvme0n1p2 / ext4 rw,relatime 0 0',
            'efivarfs /sys/firmware/efi/efivars efivarfs rw,relatime 0 0']
    for point, size in spec.get('hugetlbfs', {}).items():
        rows.append(f'hugetlbfs {point} hugetlbfs rw,relatime,pagesize={size} 0 0')
        tree.dir(point)
    rows += spec.get('mounts', [])
    text = ''.join(r + '\n' for r in rows)
    tree.text('/proc/self/mounts', text)
    tree.link('/proc/mounts', 'self/mounts')
    for name in spec.get('map_files', []):
        tree.data(name, b'')


def _processes(tree, spec):
    """A few processes: pid 1, and those that the description names."""
    limit = spec.get('memlock', 'unlimited')
    text = (f'Limit                     Soft Limit           Hard Limit           Units     \n'
            f'Max locked memory         {limit:<20} {limit:<20} bytes     \n')
    tree.text('/proc/self/limits', text)
    names = ['systemd', 'kthreadd'] + spec.get('processes', [])
    tree.dir('/sys/fs/cgroup/system.slice/systemd-journald.service')
    for name in spec.get('services', []):
        tree.dir(f'/sys/fs/cgroup/system.slice/{name}.service')
    for pid, name in enumerate(names, 1):
        tree.line(f'/proc/{pid}/comm', name)
        tree.text(f'/proc/{pid}/stat', f'{pid} ({name}) S 0 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 1 0 0\n')
    for name, text in spec.get('units', {}).items():
        tree.text(f'/etc/systemd/system/{name}' if '/' not in name or name.endswith('.conf') else name, text)


def _soc(tree, soc):
    if soc:
        base = '/sys/devices/soc0'
        tree.lines(base, **{k: v for k, v in soc.items() if v is not None})
        tree.link('/sys/bus/soc/devices/soc0', '../../../devices/soc0')


def _edac(tree, spec):
    controllers = spec.get('edac')
    if controllers is None:
        return
    base = '/sys/devices/system/edac/mc'
    tree.dir(base)
    for n, counts in enumerate(controllers):
        tree.lines(f'{base}/mc{n}', ce_count=counts.get('ce', 0), ue_count=counts.get('ue', 0),
                   ce_noinfo_count=counts.get('ce_noinfo', 0), ue_noinfo_count=counts.get('ue_noinfo', 0),
                   mc_name=counts.get('name', 'APEI GHES'), size_mb=131072, seconds_since_reset=864000)


def _dmi(tree, machine):
    tables = smbios.files(machine)
    if tables is None:
        return
    spec = machine['smbios']
    tree.data('/sys/firmware/dmi/tables/smbios_entry_point', tables[0], mode=0o400)
    tree.data('/sys/firmware/dmi/tables/DMI', tables[1], mode=0o400)
    bios, system, board = spec.get('bios', {}), spec.get('system', {}), spec.get('board', {})
    chassis = spec.get('chassis', {})
    base = '/sys/devices/virtual/dmi/id'
    values = {'bios_vendor': bios.get('vendor', ''), 'bios_version': bios.get('version', ''), 'bios_date': bios.get('date', ''),
              'bios_release': f'{bios.get("major", 255)}.{bios.get("minor", 255)}', 'sys_vendor': system.get('vendor', ''),
              'product_name': system.get('product', ''), 'product_version': system.get('version', ''),
              'product_sku': system.get('sku', ''), 'product_family': system.get('family', ''),
              'board_vendor': board.get('vendor', system.get('vendor', '')),
              'board_name': board.get('product', system.get('product', '')), 'board_version': board.get('version', ''),
              'chassis_vendor': chassis.get('vendor', system.get('vendor', '')), 'chassis_type': chassis.get('type', 23),
              'chassis_version': chassis.get('version', ''), 'chassis_asset_tag': chassis.get('asset', planted.ASSET)}
    secret = {'product_serial': system.get('serial', planted.SERIAL), 'product_uuid': planted.UUID,
              'board_serial': planted.SERIAL + '-BOARD', 'chassis_serial': planted.SERIAL + '-CHASSIS',
              'board_asset_tag': planted.ASSET}
    for name, value in values.items():
        tree.text(f'{base}/{name}', f'{value}\n')
    for name, value in secret.items():
        tree.line(f'{base}/{name}', value)
        tree.modes[f'{base}/{name}'] = 0o400
    tree.link('/sys/class/dmi/id', '../../devices/virtual/dmi/id')


def _virtual(tree, spec):
    """vm and container as they show: hypervisor files, cgroup of pid 1, marker files."""
    if spec.get('hypervisor'):
        tree.line('/sys/hypervisor/type', spec['hypervisor'])
    tree.text('/proc/1/cgroup', spec.get('cgroup', '0::/init.scope\n'))
    tree.data('/proc/1/environ', spec.get('environ', 'HOME=/').encode() + b'\0', mode=0o400)
    for path in spec.get('markers', []):
        tree.text(path, '')
    if spec.get('run_container'):
        tree.line('/run/systemd/container', spec['run_container'])


def certificate(kind):
    """A self-signed certificate in PEM; its private key was never kept."""
    return CERTIFICATES[kind]


def _pem(body):
    data = base64.b64encode(base64.b64decode(body)).decode()
    return '-----BEGIN CERTIFICATE-----\n' + ''.join(data[i:i + 64] + '\n' for i in range(0, len(data), 64)) + '-----END CERTIFICATE-----\n'


CERTIFICATES = {
    'ec': _pem('MIIBeDCCAR+gAwIBAgIUYm4Kvp0oP4/Bju+Q7x/0zrPWEMEwCgYIKoZIzj0EAwIwETEPMA0GA1UEAwwGc2VydmVyMCAXDTI2MTEz'
        'MDEzMzIyNVoYDzIxMjYxMTA2MTMzMjI1WjARMQ8wDQYDVQQDDAZzZXJ2ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQVqRqz'
        '61MMQvJm2R2uoCthkPouAAkhMzcsf+MlooJNtIkbjNMUVr5RPYhgNmUiXc1qEqcTWuG/4y9qmdltRhH7o1MwUTAdBgNVHQ4EFgQU'
        'woZruRjiFIcJD/BKs9reeucx8PowHwYDVR0jBBgwFoAUwoZruRjiFIcJD/BKs9reeucx8PowDwYDVR0TAQH/BAUwAwEB/zAKBggq'
        'hkjOPQQDAgNHADBEAiAxdkrMAyYMiDUSPfqV9qAkt1Rv3ye+l31JqFDe8pTfiAIgTJGmnqu0qqxsaMR8LRJ01r+fAhMpwLI11oie'
        '8wISyMs='),
    'rsa': _pem('MIIDBTCCAe2gAwIBAgIUPzjVnsBaONnCJI8d7QT0xHgG0qMwDQYJKoZIhvcNAQELBQAwETEPMA0GA1UEAwwGc2VydmVyMCAXDTI2'
        'MTEzMDEzMzIyNVoYDzIxMjYxMTA2MTMzMjI1WjARMQ8wDQYDVQQDDAZzZXJ2ZXIwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEK'
        'AoIBAQDGmkfF73T1sWqMty0RGkZyMwy09HjX03VcdVsKFqUyeclazxzb7Y6IJc5QgjCc895GT6c5n0lBvGscSRm+TgLedrwzbBVT'
        'w6qM0p0XLOJrYI28iiKqJt1MWeUtCIkYQmV+Aj3YLLKFnJn/wl106T/zV+1WazZeYfw35hTFb4qEbpZGmMSOL7rV3pkAn35ouesb'
        'mdaSDpiZqn/eXIe8+UelUsTbMquk5Gbh447kY4Em0sA0GxmU7Dm/F5lI/6NagUf/YAyRQPKDwZpl4VRVbCLGlMMwFRBlXBlwvSKD'
        '+bO0obC0cq/uH2JeOHk4tycjr1DFV0+6TxoS7iT70RjX1BsHAgMBAAGjUzBRMB0GA1UdDgQWBBQdVDWG6jfRdLb52PV3tUCfft5p'
        'xjAfBgNVHSMEGDAWgBQdVDWG6jfRdLb52PV3tUCfft5pxjAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQC9CM9u'
        'vb8Sqq6La60sxCMzpZ4lxsNgM9LjpqazA6euBaD/+r4Qw9rmE6gnKu4PSoxgSlV8jArV1dLrSnb+o4eR3DLVZddoxd4p65L5/Gfq'
        '64FnKQ0RZMkZNWuCloPPDFZ0hPSaY00scTym9E4bl6V//QPU1cYcdRxuhV8Nk3tF3kUCxgTfDsFOZssmOzhcnT43pchOoNw+9yxs'
        '0K1lAEbOF0iV4AuCeJ1z4jBtFcAs+S17qaf1NiAxSab0sCBB3V8cVSQ58WSnTTJmoVyecQgbzA1tJkBGPX4Oh+/i6j9tTpUb4vUe'
        'Ff+W2YX2RHFMpjv9WJVaJuUZPa1XGcIjuvKk'),
}
