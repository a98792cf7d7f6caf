# SPDX-License-Identifier: BSD-2-Clause
"""Processors of a described machine: /proc/cpuinfo, /sys/devices/system/cpu and the auxiliary vector."""

HWCAP = ('fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm jscvt fcma lrcpc dcpop sha3 '
         'sm3 sm4 asimddp sha512 sve asimdfhm dit uscat ilrcpc flagm ssbs sb paca pacg').split()
HWCAP2 = ('dcpodp sve2 sveaes svepmull svebitperm svesha3 svesm4 flagm2 frint svei8mm svef32mm svef64mm svebf16 i8mm '
          'bf16 dgh rng bti mte ecv afp rpres mte3 sme').split()
SYS = '/sys/devices/system/cpu'


def ranges(numbers):
    """[0, 1, 2, 5] -> "0-2,5", as the kernel prints a CPU list."""
    out, numbers = [], sorted(numbers)
    i = 0
    while i < len(numbers):
        j = i
        while j + 1 < len(numbers) and numbers[j + 1] == numbers[j] + 1:
            j += 1
        out.append(str(numbers[i]) if i == j else f'{numbers[i]}-{numbers[j]}')
        i = j + 1
    return ','.join(out)


def mask(numbers, bits):
    """The same set as a hexadecimal mask of `bits` bits in groups of 32, highest first."""
    groups = [0] * ((bits + 31) // 32)
    for n in numbers:
        groups[n // 32] |= 1 << n % 32
    width = (bits % 32 + 3) // 4 if bits % 32 else 8
    text = [f'{groups[-1]:0{width}x}'] + [f'{g:08x}' for g in reversed(groups[:-1])]
    return ','.join(text)


class Cpus:
    """Which CPU is where. CPUs are numbered package by package, threads of a core next to one another."""

    def __init__(self, spec):
        self.packages = spec.get('packages', 1)
        self.cores = spec.get('cores', 1)
        self.threads = spec.get('threads', 1)
        self.nodes_per_package = spec.get('nodes_per_package', 1)
        self.count = self.packages * self.cores * self.threads
        self.offline = set(spec.get('offline', []))
        self.online = [n for n in range(self.count) if n not in self.offline]

    def package(self, n):
        return n // (self.cores * self.threads)

    def core(self, n):
        return n // self.threads

    def node(self, n):
        in_package = n % (self.cores * self.threads)
        per_node = self.cores * self.threads // self.nodes_per_package
        return self.package(n) * self.nodes_per_package + min(in_package // per_node, self.nodes_per_package - 1)

    def nodes(self):
        return self.packages * self.nodes_per_package


def hwcaps(spec):
    words = spec.get('features', '').split()
    return (sum(1 << HWCAP.index(w) for w in words if w in HWCAP),
            sum(1 << HWCAP2.index(w) for w in words if w in HWCAP2))


def midr(spec):
    return (int(spec['implementer'], 16) << 24 | int(spec['variant'], 16) << 20 | 0xf << 16 |
            int(spec['part'], 16) << 4 | int(spec['revision'], 0))


def of(spec, n):
    """The identification of CPU n: "kinds" lists what differs on some CPUs."""
    for kind in spec.get('kinds', []):
        if kind['from'] <= n <= kind['to']:
            return {**spec, **kind}
    return spec


def cpuinfo(spec, cpus):
    style = spec.get('cpuinfo', 'arm64')
    if style == 'arm64':
        return ''.join(_arm64_block(of(spec, n), n) for n in cpus.online)
    if style == 'x86':
        return ''.join(_x86_block(spec, cpus, n) for n in cpus.online)
    if style == 'riscv':
        return ''.join(f'processor\t: {n}\nhart\t\t: {n}\nisa\t\t: {spec["isa"]}\nmmu\t\t: sv39\n'
                       f'uarch\t\t: {spec.get("uarch", "")}\n\n' for n in cpus.online)
    return style


def _arm64_block(spec, n):
    lines = [('processor', n), ('BogoMIPS', spec.get('bogomips')), ('Features', spec['features']),
             ('CPU implementer', spec['implementer']), ('CPU architecture', 8), ('CPU variant', spec['variant']),
             ('CPU part', spec['part']), ('CPU revision', int(spec['revision'], 0))]
    out = ''.join(f'{k}\t: {v}\n' for k, v in lines if v is not None)
    return out.replace('architecture\t:', 'architecture:') + '\n'


def _x86_block(spec, cpus, n):
    return (f'processor\t: {n}\nvendor_id\t: {spec["vendor_id"]}\ncpu family\t: {spec["family"]}\n'
            f'model\t\t: {spec["model"]}\nmodel name\t: {spec["model_name"]}\nstepping\t: 1\nmicrocode\t: 0xa101148\n'
            f'cpu MHz\t\t: 2400.000\ncache size\t: 1024 KB\nphysical id\t: {cpus.package(n)}\n'
            f'siblings\t: {cpus.cores * cpus.threads}\ncore id\t\t: {cpus.core(n)}\ncpu cores\t: {cpus.cores}\n'
            f'fpu\t\t: yes\nflags\t\t: {spec["features"]}\nbogomips\t: {spec["bogomips"]}\nclflush size\t: 64\n\n')


def build(tree, machine):
    spec = machine['cpu']
    cpus = Cpus(spec)
    tree.text('/proc/cpuinfo', cpuinfo(spec, cpus))
    everything = list(range(cpus.count))
    tree.lines(SYS, possible=ranges(everything), present=ranges(everything), online=ranges(cpus.online),
               offline=ranges(sorted(cpus.offline)), kernel_max=spec.get('kernel_max', 511), isolated=spec.get('isolated', ''),
               nohz_full=spec.get('nohz_full', ' (null)' if spec.get('nohz_null') else ''))
    tree.lines(SYS + '/smt', active=int(cpus.threads > 1), control='on' if cpus.threads > 1 else 'notimplemented')
    bits = max(cpus.count, spec.get('mask_bits', cpus.count))
    maps = Maps(cpus, bits, spec)
    for n in everything:
        path = f'{SYS}/cpu{n}'
        tree.line(path + '/online', int(n not in cpus.offline))
        if n in cpus.offline:
            continue
        _topology(tree, path, n, cpus, maps)
        _caches(tree, path, n, spec, cpus, maps)
        if spec.get('midr', True) and 'implementer' in spec:
            tree.line(path + '/regs/identification/midr_el1', f'0x{midr(of(spec, n)):016x}')
            tree.line(path + '/regs/identification/revidr_el1', '0x0000000000000000')
        if spec.get('numa', True):
            tree.link(f'{path}/node{cpus.node(n)}', f'../../node/node{cpus.node(n)}')
    _cpufreq(tree, spec.get('cpufreq'), cpus)
    if spec.get('cppc'):
        _cppc(tree, spec['cppc'], cpus)
    _cpuidle(tree, spec.get('cpuidle', {}), cpus)
    return cpus


class Maps:
    """Masks and lists, each made once."""

    def __init__(self, cpus, bits, spec):
        self.bits = bits
        self.made = {}
        per = cpus.cores * cpus.threads
        self.package = [self.pair(range(p * per, (p + 1) * per)) for p in range(cpus.packages)]
        self.cluster_cpus = spec.get('cluster_cpus', 0)

    def pair(self, numbers):
        key = tuple(numbers)
        if key not in self.made:
            self.made[key] = (mask(key, self.bits), ranges(key))
        return self.made[key]


def _sharing(names, pair):
    return {names[0]: pair[0], names[1]: pair[1]}


def _topology(tree, path, n, cpus, maps):
    first = n // cpus.threads * cpus.threads
    core = maps.pair(range(first, first + cpus.threads))
    package = maps.package[cpus.package(n)]
    values = {'physical_package_id': cpus.package(n), 'core_id': cpus.core(n) % cpus.cores}
    for names, pair in ((('core_cpus', 'core_cpus_list'), core), (('thread_siblings', 'thread_siblings_list'), core),
                        (('package_cpus', 'package_cpus_list'), package),
                        (('core_siblings', 'core_siblings_list'), package)):
        values.update(_sharing(names, pair))
    if maps.cluster_cpus:
        first = n // maps.cluster_cpus * maps.cluster_cpus
        values['cluster_id'] = 56 + n // maps.cluster_cpus
        values.update(_sharing(('cluster_cpus', 'cluster_cpus_list'), maps.pair(range(first, first + maps.cluster_cpus))))
    else:
        values['cluster_id'] = -1
        values.update(_sharing(('cluster_cpus', 'cluster_cpus_list'), core))
    tree.lines(path + '/topology', **values)


def _caches(tree, path, n, spec, cpus, maps):
    first = n // cpus.threads * cpus.threads
    for index, (level, kind, kib, ways, sets, shared) in enumerate(spec.get('caches', [])):
        per = cpus.cores * cpus.threads
        base = n // per * per
        pair = (maps.pair(range(first, first + cpus.threads)) if shared == 'core' else
                maps.pair(range(n // shared * shared, n // shared * shared + shared)) if isinstance(shared, int) else
                maps.pair(range(base, base + per)))
        tree.lines(f'{path}/cache/index{index}', level=level, type=kind, size=f'{kib}K', coherency_line_size=64,
                   number_of_sets=sets, ways_of_associativity=ways, shared_cpu_map=pair[0], shared_cpu_list=pair[1])


def _cpufreq(tree, spec, cpus):
    """None: the kernel has cpufreq, but no driver is in use; false: the kernel has no cpufreq."""
    if spec is False:
        return
    tree.dir(SYS + '/cpufreq')
    if spec is None:
        return
    driver = spec.get('driver', 'cppc_cpufreq')
    shared = spec.get('policy_cpus', 1)
    if driver == 'cppc_cpufreq':
        tree.line(SYS + '/cpufreq/boost', 0)
    for first in range(0, cpus.count, shared):
        members = [n for n in range(first, first + shared) if n not in cpus.offline]
        if not members:
            continue
        own = {**spec, **spec.get('policies', {}).get(str(first), {})}
        low, high = own['min_khz'], own['max_khz']
        tree.lines(f'{SYS}/cpufreq/policy{first}', affected_cpus=' '.join(map(str, members)),
                   related_cpus=' '.join(map(str, range(first, first + shared))), cpuinfo_max_freq=high,
                   cpuinfo_min_freq=low, cpuinfo_transition_latency=own.get('latency', 0),
                   scaling_available_governors=own.get('governors', 'conservative ondemand userspace powersave '
                                                       'performance schedutil'),
                   scaling_cur_freq=own.get('cur_khz', high), scaling_driver=driver,
                   scaling_governor=own.get('governor', 'performance'),
                   scaling_max_freq=own.get('scaling_max_khz', high), scaling_min_freq=own.get('scaling_min_khz', low),
                   scaling_setspeed='<unsupported>')
        if driver == 'cppc_cpufreq':
            tree.line(f'{SYS}/cpufreq/policy{first}/freqdomain_cpus', ' '.join(map(str, members)))
        for n in members:
            tree.link(f'{SYS}/cpu{n}/cpufreq', f'../cpufreq/policy{first}')


def _cppc(tree, spec, cpus):
    for n in cpus.online:
        tree.lines(f'{SYS}/cpu{n}/acpi_cppc', feedback_ctrs='ref:0 del:0', highest_perf=spec['highest'],
                   lowest_freq=spec.get('lowest_mhz', 1000), lowest_nonlinear_perf=spec.get('lowest', 100),
                   lowest_perf=spec.get('lowest', 100), nominal_freq=spec['nominal_mhz'], nominal_perf=spec['highest'],
                   reference_perf=100, wraparound_time='18446744073709551615')


def _cpuidle(tree, spec, cpus):
    tree.lines(SYS + '/cpuidle', current_driver=spec.get('driver', 'none'), current_governor=spec.get('governor', 'menu'),
               current_governor_ro=spec.get('governor', 'menu'), available_governors='menu')
    for n in cpus.online:
        for index, (name, desc, latency) in enumerate(spec.get('states', [])):
            tree.lines(f'{SYS}/cpu{n}/cpuidle/state{index}', name=name, desc=desc, latency=latency, residency=latency,
                       disable=int(index in spec.get('disabled', [])), usage=index * 100, time=index * 1000)
