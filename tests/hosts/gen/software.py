# SPDX-License-Identifier: BSD-2-Clause
"""Installed software of a described machine: loader configuration and cache, ELF stubs, .pc files, servers' configuration."""
import fnmatch
import posixpath
import struct

import elf
import kernel
import planted

DATES = {'1.0.2k': '26 Jan 2017', '1.1.1f': '31 Mar 2020', '1.1.1w': '11 Sep 2023', '3.0.2': '15 Mar 2022', '3.0.7': '1 Nov 2022',
         '3.0.13': '30 Jan 2024', '3.0.17': '1 Jul 2025', '3.1.4': '24 Oct 2023', '3.2.2': '4 Jun 2024', '3.2.3': '3 Sep 2024',
         '3.3.0': '9 Apr 2024', '3.4.0': '22 Oct 2024', '3.4.1': '11 Feb 2025', '3.5.1': '1 Jul 2025', '3.5.4': '30 Sep 2025'}
LAYOUTS = {
    'debian-arm64': {'arch': 'aarch64', 'lib': '/usr/lib/aarch64-linux-gnu', 'system': ['/lib', '/usr/lib'],
                     'conf': {'aarch64-linux-gnu.conf': '# Multiarch support\n/usr/local/lib/aarch64-linux-gnu\n/lib/aarch64-linux-gnu\n'
                                                        '/usr/lib/aarch64-linux-gnu\n',
                              'libc.conf': '# libc default configuration\n/usr/local/lib\n'}},
    'debian-amd64': {'arch': 'x86_64', 'lib': '/usr/lib/x86_64-linux-gnu', 'system': ['/lib', '/usr/lib'],
                     'conf': {'x86_64-linux-gnu.conf': '# Multiarch support\n/usr/local/lib/x86_64-linux-gnu\n/lib/x86_64-linux-gnu\n'
                                                       '/usr/lib/x86_64-linux-gnu\n',
                              'libc.conf': '# libc default configuration\n/usr/local/lib\n'}},
    'rhel-arm64': {'arch': 'aarch64', 'lib': '/usr/lib64', 'system': ['/lib64', '/usr/lib64'], 'conf': {}},
}
CACHE_FLAGS = {'aarch64': 0x0a03, 'x86_64': 0x0303, 'riscv64': 0x1003}
GLIBC = {'libc.so.6': ['GLIBC_2.17', 'GLIBC_2.34']}


def openssl_versions(version):
    """The symbol version nodes that a libcrypto of this version defines."""
    if version.startswith('1.1.'):
        return ['OPENSSL_1_1_0', 'OPENSSL_1_1_0f', 'OPENSSL_1_1_1']
    if version.startswith('1.0.'):
        return ['OPENSSL_1.0.2']
    minor = int(version.split('.')[1])
    return ['OPENSSL_3.0.0', 'OPENSSL_3.0.3', 'OPENSSL_3.0.8', 'OPENSSL_3.0.9'] + [f'OPENSSL_3.{m}.0' for m in range(1, minor + 1)]


def soname_suffix(version):
    return '1.1' if version.startswith('1.1.') else '10' if version.startswith('1.0.') else '3'


def libcrypto(arch, version, **over):
    text = over.pop('banner', f'OpenSSL {version} {DATES.get(version, "1 Jan 2026")}')
    exports = {'EVP_EncryptInit_ex': openssl_versions(version)[0]}
    if 'OPENSSL_3.2.0' in openssl_versions(version):
        exports['EVP_CIPHER_CTX_dup'] = 'OPENSSL_3.2.0'
    return elf.build({'arch': arch, 'soname': f'libcrypto.so.{soname_suffix(version)}', 'needed': ['libc.so.6'], 'needs': GLIBC,
                      'defines': openssl_versions(version), 'exports': exports, 'imports': {'malloc': 'GLIBC_2.17'},
                      'text': [text] if text else [], **over})


def libssl(arch, version):
    crypto = f'libcrypto.so.{soname_suffix(version)}'
    first = openssl_versions(version)[0]
    return elf.build({'arch': arch, 'soname': f'libssl.so.{soname_suffix(version)}', 'needed': [crypto, 'libc.so.6'],
                      'needs': {crypto: [first], **GLIBC}, 'defines': openssl_versions(version), 'exports': {'SSL_new': first},
                      'imports': {'EVP_EncryptInit_ex': first}})


def _needs(version, *names):
    suffix = soname_suffix(version)
    return {f'{n}.so.{suffix}': [openssl_versions(version)[0]] for n in names}


def program(arch, version, libraries, **over):
    needs = {**_needs(version, *[n for n in libraries if n in ('libssl', 'libcrypto')]), **GLIBC}
    needed = list(needs)
    needed[-1:-1] = [n for n in libraries if n not in ('libssl', 'libcrypto')]
    return elf.build({'arch': arch, 'program': True, 'needed': needed, 'needs': needs, **over})


def build(tree, machine):
    spec = machine.get('software', {})
    name = spec.get('layout')
    if name:
        _distribution(tree, spec, LAYOUTS[name])
    for path, described in spec.get('elf', {}).items():
        if described is not None:
            _elf(tree, path, described, LAYOUTS.get(name, {}).get('arch', 'aarch64'))
    for path, target in spec.get('links', {}).items():
        tree.link(path, target)
    _dpdk(tree, spec.get('dpdk'), LAYOUTS.get(name, {}).get('arch', 'aarch64'))
    _crypto_libraries(tree, spec)
    for path, text in spec.get('files', {}).items():
        if text is not None:
            tree.text(path, text)
    _tls(tree, spec.get('tls'))
    if spec.get('cache', True) and name:
        flags = CACHE_FLAGS[LAYOUTS[name]['arch']]
        tree.data('/etc/ld.so.cache', cache(cache_entries(tree, LAYOUTS[name]['system'], spec.get('cache_without', [])), flags))


def _distribution(tree, spec, layout):
    arch, lib = layout['arch'], layout['lib']
    for name in ('bin', 'sbin', 'lib') + (('lib64',) if lib == '/usr/lib64' else ()):
        tree.link(f'/{name}', f'usr/{name}')
        tree.dir(f'/usr/{name}')
    tree.text('/etc/os-release', ''.join(f'{k}="{v}"\n' for k, v in spec.get('os', {}).items()))
    tree.text('/etc/ld.so.conf', 'include /etc/ld.so.conf.d/*.conf\n' if layout['conf'] else 'include ld.so.conf.d/*.conf\n')
    tree.dir('/etc/ld.so.conf.d')
    for name, text in {**layout['conf'], **spec.get('ld_so_conf', {})}.items():
        if text is not None:
            tree.text(f'/etc/ld.so.conf.d/{name}', text)
    tree.data(f'{lib}/libc.so.6', elf.build({'arch': arch, 'soname': 'libc.so.6', 'defines': ['GLIBC_2.17', 'GLIBC_2.34', 'GLIBC_2.38'],
                                            'exports': {'malloc': 'GLIBC_2.17'}}))
    interpreter = elf.INTERPRETERS[arch]
    tree.data(f'{lib}/{posixpath.basename(interpreter)}', elf.build({'arch': arch, 'soname': posixpath.basename(interpreter)}))
    if posixpath.dirname(interpreter) != posixpath.dirname(lib) and f'/usr{posixpath.dirname(interpreter)}' != lib:
        tree.link(f'/usr{interpreter}', f'{lib}/{posixpath.basename(interpreter)}')
        if posixpath.dirname(interpreter) == '/lib64':
            tree.link('/lib64', 'usr/lib64')
    version = spec.get('openssl')
    if not version:
        return
    suffix = soname_suffix(version)
    place = f'{lib}/libcrypto.so.{suffix}'
    if lib == '/usr/lib64':
        tree.data(f'{lib}/libcrypto.so.{version}', libcrypto(arch, version))
        tree.link(place, f'libcrypto.so.{version}')
    else:
        tree.data(place, libcrypto(arch, version))
    tree.data(f'{lib}/libssl.so.{suffix}', libssl(arch, version))
    tree.data(f'{lib}/libcurl.so.4', elf.build({'arch': arch, 'soname': 'libcurl.so.4', 'needed': list(_needs(version, 'libssl', 'libcrypto')) + ['libc.so.6'],
                                               'needs': {**_needs(version, 'libssl', 'libcrypto'), **GLIBC}}))
    programs = {'/usr/bin/openssl': ['libssl', 'libcrypto'], '/usr/bin/curl': ['libcurl.so.4'], '/usr/sbin/sshd': ['libcrypto'],
                '/usr/bin/ssh': ['libcrypto'], '/usr/sbin/nginx': ['libssl', 'libcrypto'], '/usr/sbin/haproxy': ['libssl', 'libcrypto']}
    for path in spec.get('programs', list(programs)):
        tree.data(path, program(arch, version, programs[path]), mode=0o755)


def _elf(tree, path, described, arch):
    if described.get('libcrypto'):
        data = libcrypto(arch, described['libcrypto'], **described.get('elf', {}))
    elif described.get('libssl'):
        data = libssl(arch, described['libssl'])
    elif 'program' in described and isinstance(described['program'], str):
        data = program(arch, described['program'], described.get('libraries', ['libcrypto']), **described.get('elf', {}))
    else:
        data = elf.build({'arch': arch, **described})
    tree.data(path, data[:described.get('cut', len(data))], mode=described.get('mode', 0o755))


def _dpdk(tree, spec, arch):
    """DPDK as meson installs it: libraries with the ABI in their name, drivers in their own directory, two .pc files."""
    if not spec:
        return
    version, prefix = spec['version'], spec.get('prefix', '/usr/local')
    year, month = (int(x) for x in version.split('.')[:2])
    abi = year + 1 if month == 11 else year
    lib = f'{prefix}/{spec.get("libdir", "lib/aarch64-linux-gnu")}'
    drivers = f'{lib}/dpdk/pmds-{abi}.0'
    tree.data(f'{lib}/librte_eal.so.{abi}.0', elf.build({'arch': arch, 'soname': f'librte_eal.so.{abi}', 'needed': ['libc.so.6'], 'needs': GLIBC,
                                                         'text': [f'DPDK {version}', 'EAL: RTE Version: \'%s\'\n']}))
    tree.link(f'{lib}/librte_eal.so.{abi}', f'librte_eal.so.{abi}.0')
    for name in spec.get('pmds', []):
        described = {'arch': arch, 'soname': f'librte_{name}.so.{abi}', 'needed': [f'librte_eal.so.{abi}', 'libc.so.6'], 'needs': dict(GLIBC),
                     'text': [f'PMD_INFO_STRING= {{"name" : "{name}", "params" : "max_nb_queue_pairs=<int>", "pci_ids" : []}}']}
        if name == 'crypto_openssl':
            imported = spec.get('built_against', ['OPENSSL_3.0.0', 'OPENSSL_3.2.0'])
            described['needed'][0:0] = ['libcrypto.so.3']
            described['needs'] = {'libcrypto.so.3': imported, **GLIBC}
            described['imports'] = {'EVP_EncryptInit_ex': imported[0]}
            if 'OPENSSL_3.2.0' in imported:
                described['imports']['EVP_CIPHER_CTX_dup'] = 'OPENSSL_3.2.0'
        if name in ('crypto_ipsec_mb', 'crypto_snow3g'):
            described['needed'][0:0] = ['libIPSec_MB.so.' + spec.get('ipsec_mb_soname', '1')]
        tree.data(f'{drivers}/librte_{name}.so.{abi}.0', elf.build(described))
        tree.link(f'{drivers}/librte_{name}.so.{abi}', f'librte_{name}.so.{abi}.0')
        tree.link(f'{lib}/librte_{name}.so.{abi}', f'dpdk/pmds-{abi}.0/librte_{name}.so.{abi}.0')
    for name in ('libdpdk', 'libdpdk-libs'):
        requires = 'Requires.private: libcrypto\n' if name == 'libdpdk-libs' else 'Requires: libdpdk-libs\n'
        tree.text(f'{lib}/pkgconfig/{name}.pc', f'prefix={prefix}\nlibdir={lib}\nincludedir={prefix}/include\n\nName: DPDK\nDescription: DPDK\n'
                  f'Version: {version}\n{requires}Libs: -L${{libdir}} -lrte_eal\nCflags: -I${{includedir}}\n')
    for name in ('dpdk-testpmd', 'dpdk-test-crypto-perf'):
        tree.data(f'{prefix}/bin/{name}', elf.build({'arch': arch, 'program': True, 'needed': [f'librte_{p}.so.{abi}' for p in spec.get('pmds', [])] +
                                                     [f'librte_eal.so.{abi}', 'libc.so.6'], 'needs': GLIBC}), mode=0o755)


def _crypto_libraries(tree, spec):
    ipsec = spec.get('ipsec_mb')
    if ipsec:
        prefix = ipsec.get('prefix', '/usr/local')
        version = ipsec['version']
        tree.text(f'{prefix}/include/intel-ipsec-mb.h', f'#define IMB_VERSION_STR "{version}"\n#define IMB_VERSION_NUM 0x10500\n')
        tree.data(f'{prefix}/lib/libIPSec_MB.so.{version}', elf.build({'soname': 'libIPSec_MB.so.' + version.split('.')[0], 'needed': ['libc.so.6'],
                                                                    'needs': GLIBC, 'text': [version]}))
        tree.link(f'{prefix}/lib/libIPSec_MB.so.' + version.split('.')[0], f'libIPSec_MB.so.{version}')
    library = spec.get('aarch64cryptolib')
    if library is not None:
        prefix = library.get('prefix', '/opt/AArch64cryptolib')
        tree.text(library.get('pc', f'{prefix}/pkgconfig/libAArch64crypto.pc'),
                  f'prefix={library.get("pc_prefix", prefix)}\nlibdir=${{prefix}}\nincludedir=${{prefix}}\n\nName: AArch64crypto\nDescription: crypto primitives\n'
                  f'Version: {library.get("version", "20.01")}\nLibs: -L${{libdir}} -lAArch64crypto\nCflags: -I${{includedir}}\n')
        if library.get('archive', True):
            tree.data(f'{prefix}/libAArch64crypto.a', b'!<arch>\n')
            tree.text(f'{prefix}/AArch64cryptolib.h', '#define AARCH64CRYPTOLIB 1\n')


def _tls(tree, spec):
    if not spec:
        return
    kind, ciphers = spec.get('certificate', 'ec'), spec.get('ciphers')
    if spec.get('nginx', True):
        tree.text('/etc/nginx/nginx.conf', 'user www-data;\nevents { worker_connections 768; }\nhttp {\n\tinclude /etc/nginx/conf.d/*.conf;\n}\n')
        tree.text('/etc/nginx/conf.d/site.conf', 'server {\n\tlisten 443 ssl;\n'
                  f'\tserver_name {planted.HOST_NAME}.{planted.DOMAIN};\n'
                  '\tssl_certificate /etc/ssl/site.pem;\n\tssl_certificate_key /etc/ssl/private/site.key;\n' +
                  (f'\tssl_ciphers {ciphers};\n' if ciphers else '') + '\tssl_prefer_server_ciphers on;\n}\n')
        tree.text('/etc/ssl/site.pem', kernel.certificate(kind))
        tree.data('/etc/ssl/private/site.key', f'-----BEGIN PRIVATE KEY-----\n{planted.KEY}\n-----END PRIVATE KEY-----\n'.encode(), mode=0o600)
    if spec.get('haproxy'):
        tree.text('/etc/haproxy/haproxy.cfg', 'global\n\tuser haproxy\n' +
                  (f'\tssl-default-bind-ciphers {ciphers}\n' if ciphers else '') +
                  'frontend https\n\tbind :443 ssl crt /etc/haproxy/site.pem\n')
        tree.text('/etc/haproxy/site.pem', kernel.certificate(kind) + f'-----BEGIN PRIVATE KEY-----\n{planted.KEY}\n-----END PRIVATE KEY-----\n')


def search_path(tree, system):
    """Directories in the order of ldconfig: the configuration, with its includes in glob order, then the system's own."""
    found = []

    def take(path, depth=0):
        data = tree.read(path)
        if data is None or depth > 4:
            return
        for line in data.decode('utf-8', 'replace').split('\n'):
            line = line.split('#')[0].strip()
            if line.startswith('include'):
                pattern = line[7:].strip()
                pattern = pattern if pattern.startswith('/') else posixpath.join(posixpath.dirname(path), pattern)
                folder, want = posixpath.split(pattern)
                for name in fnmatch.filter(tree.names(folder), want):
                    take(f'{folder}/{name}', depth + 1)
            elif line.startswith('/'):
                found.append(line.rstrip('/'))
    take('/etc/ld.so.conf')
    return found + system


def cache_entries(tree, system, without=()):
    """(soname, path) in cache order of one name: the first directory of the search path first."""
    out, seen = [], set()
    for folder in search_path(tree, system):
        real = tree.canonical(folder)
        if real in seen or folder in without:
            continue
        seen.add(real)
        for name in tree.names(folder):
            data = tree.read(f'{real}/{name}')
            if '.so' in name and data and data[:4] == b'\x7fELF':
                soname = _soname(data) or name
                if name == soname or f'{real}/{soname}' not in {**tree.files, **tree.links}:
                    out.append((soname, f'{folder}/{soname}' if name == soname else f'{folder}/{name}'))
    return out


def _soname(data):
    """From the section headers that elf.build() writes."""
    try:
        shoff, = struct.unpack_from('<Q', data, 0x28)
        count, = struct.unpack_from('<H', data, 0x3c)
        rows = [struct.unpack_from('<IIQQQQIIQQ', data, shoff + 64 * i) for i in range(count)]
        dynamic = next(r for r in rows if r[1] == 6)
        strings = rows[dynamic[6]]
        for at in range(dynamic[4], dynamic[4] + dynamic[5], 16):
            tag, value = struct.unpack_from('<QQ', data, at)
            if tag == 14:
                start = strings[4] + value
                return data[start:data.index(b'\0', start)].decode()
    except (struct.error, StopIteration, ValueError):
        pass
    return None


def _collate(name):
    """The order of glibc's cache: digit runs are numbers, and above all else (_dl_cache_libcmp)."""
    out, i = [], 0
    while i < len(name):
        j = i
        while j < len(name) and name[j].isdigit():
            j += 1
        if j > i:
            out.append((1, int(name[i:j])))
            i = j
        else:
            out.append((0, ord(name[i])))
            i += 1
    return out


def cache(entries, flags):
    """ld.so.cache in the new format, "glibc-ld.so.cache1.1": 48 bytes of header, 24 per entry, strings; greatest name first."""
    order = sorted(range(len(entries)), key=lambda i: _collate(entries[i][0]), reverse=True)
    groups = {}
    for i in order:
        groups.setdefault(entries[i][0], []).append(i)
    ordered = [i for name in groups for i in sorted(groups[name])]
    strings, at, rows = bytearray(), 48 + 24 * len(entries), b''

    def add(text):
        strings.extend(text.encode() + b'\0')
        return at + len(strings) - len(text.encode()) - 1
    for i in ordered:
        name, path = entries[i]
        value = add(path)
        key = value + len(path) - len(name) if path.endswith('/' + name) else add(name)
        rows += struct.pack('<iIIIQ', flags, key, value, 0, 0)
    head = b'glibc-ld.so.cache1.1' + struct.pack('<IIBBBBIIII', len(entries), len(strings), 2, 0, 0, 0, 0, 0, 0, 0)
    return head + rows + bytes(strings)
