#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes up a machine from one of perfmodels/: another number of GPUs, slower ones among them, other links.

Writes, for programs built with -Dsimulation=true: OUT/models/NAME.json and NAME.machine.json
(SKELRT_MODELS=OUT/models), and OUT/sampling/bus/NAME.* (STARPU_PERF_MODEL_DIR=OUT/sampling), what StarPU and SimGrid
know; STARPU_HOSTNAME=NAME chooses it.
"""
import argparse
import json
import pathlib

STARPU_NODES = 32  # --enable-maxnodes of the StarPU that reads the matrices
GPU_BYTES = 85017493504
HOST_OVER_CORES = 1.5  # the host's memory gives cores and a GPU's copies together so much of what cores alone reach


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('perfmodel', type=pathlib.Path, help='a folder of perfmodels/')
    p.add_argument('out', type=pathlib.Path)
    p.add_argument('name')
    p.add_argument('--cores', type=int, default=16, help='StarPU takes one of them for each GPU')
    p.add_argument('--gpus', type=int, default=1)
    p.add_argument('--speeds', default='', help='of each GPU, relative to the measured one: 1,1,0.5,0.5')
    p.add_argument('--links', type=float, default=1, help='speed of links to the host, relative to the measured one')
    p.add_argument('--peer', type=float, default=370, help='GB/s between two GPUs')
    p.add_argument('--latency', type=float, default=8.5, help='of links to the host, microseconds')
    p.add_argument('--peer-latency', type=float, default=10, help='of links between GPUs, microseconds')
    o = p.parse_args()
    o.speeds = [float(s) for s in o.speeds.split(',')] if o.speeds else [1.0] * o.gpus
    if len(o.speeds) != o.gpus:
        p.error(f'{len(o.speeds)} speeds for {o.gpus} GPUs')
    return o


def devices(measured, o):
    """CPU and GPUs of the made-up machine; rates are bytes and operations a microsecond."""
    cpu = next(d for d in measured['devices'] if d['kind'] == 'cpu')
    gpu = next(d for d in measured['devices'] if d['kind'] == 'cuda')
    made = [cpu]
    for number, speed in enumerate(o.speeds):
        g = json.loads(json.dumps(gpu))
        g['number'] = number
        for fact in ('memory_bytes_per_us', 'fp32_per_us', 'fp64_per_us'):
            g[fact][0] *= speed
        for fact in ('to_device_bytes_per_us', 'from_device_bytes_per_us', 'both_directions_bytes_per_us'):
            g[fact][0] *= o.links
        made.append(g)
    return made


def matrix(gpus, to_gpu, from_gpu, peer):
    """StarPU's: from row to column, the host's memory first; nan beyond the machine."""
    def entry(row, column):
        if max(row, column) > gpus:
            return 'nan'
        if row == column:
            return '0'
        return f'{to_gpu if row == 0 else from_gpu if column == 0 else peer:e}'
    rows = ['\t'.join(entry(r, c) for c in range(STARPU_NODES)) for r in range(STARPU_NODES)]
    return '# from row to column\n' + '\n'.join(rows) + '\n'


def link(name, rate, latency=0):
    return f'   <link id="{name}" bandwidth="{rate * 1e6:.0f}Bps" latency="{latency}us"/>'


def route(source, target, links):
    inside = ''.join(f'<link_ctn id="{name}"/>' for name in links)
    return f'   <route src="{source}" dst="{target}" symmetrical="NO">{inside}</route>'


def platform(o, cpu, gpus):
    """Each GPU has a link in and one out, and a port in and out to the others; all share the host's memory."""
    x = ["<?xml version='1.0'?>", "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>", '<platform version="4">',
         ' <config id="General">']
    for key, value in (('network/TCP-gamma', '-1'), ('network/latency-factor', '1'), ('network/bandwidth-factor', '1'),
                       ('network/crosstraffic', '0'), ('network/weight-S', '0.0')):
        x.append(f'   <prop id="{key}" value="{value}"></prop>')
    x += [' </config>', ' <AS id="AS0" routing="Full">', '   <host id="MAIN" speed="1f"/>']
    x += [f'   <host id="CPU{i}" speed="2000000000f"/>' for i in range(o.cores)]
    for i in range(o.gpus):
        x += [f'   <host id="CUDA{i}" speed="2000000000f">', f'     <prop id="model" value="{gpus[i]["name"]}"/>',
              f'     <prop id="memsize" value="{GPU_BYTES}"/>', '     <prop id="memcpy_peer" value="1"/>', '   </host>']
    x.append('   <host id="RAM" speed="1f"/>')
    x.append(link('memory', HOST_OVER_CORES * cpu['memory_bytes_per_us'][0]))
    for i, g in enumerate(gpus):
        x += [link(f'in{i}', g['to_device_bytes_per_us'][0], o.latency), link(f'out{i}', g['from_device_bytes_per_us'][0], o.latency),
              link(f'peer-in{i}', o.peer * 1e3, o.peer_latency), link(f'peer-out{i}', o.peer * 1e3)]
    for i in range(o.gpus):
        x += [route(f'CUDA{i}', 'RAM', [f'out{i}', 'memory']), route('RAM', f'CUDA{i}', ['memory', f'in{i}'])]
        x += [route(f'CUDA{i}', f'CUDA{j}', [f'peer-out{i}', f'peer-in{j}']) for j in range(o.gpus) if j != i]
    return '\n'.join(x + [' </AS>', '</platform>']) + '\n'


def main():
    o = options()
    source = o.perfmodel / o.perfmodel.name
    measured = json.loads(source.with_suffix('.machine.json').read_text())
    models = json.loads(source.with_suffix('.json').read_text())
    measured['machine'] = models['machine'] = o.name
    measured['devices'] = devices(measured, o)
    cpu, gpus = measured['devices'][0], measured['devices'][1:]

    folder, bus = o.out / 'models', o.out / 'sampling' / 'bus'
    for made in (folder, bus):
        made.mkdir(parents=True, exist_ok=True)
    (folder / f'{o.name}.json').write_text(json.dumps(models, indent=1) + '\n')
    (folder / f'{o.name}.machine.json').write_text(json.dumps(measured, indent=1) + '\n')
    slowest = min(gpus, key=lambda g: g['to_device_bytes_per_us'][0]) if gpus else None
    rates = [slowest[f'{way}_device_bytes_per_us'][0] for way in ('to', 'from')] if slowest else [0, 0]
    (bus / f'{o.name}.bandwidth').write_text(matrix(o.gpus, *rates, o.peer * 1e3))
    (bus / f'{o.name}.latency').write_text(matrix(o.gpus, o.latency, o.latency, o.peer_latency))
    (bus / f'{o.name}.config').write_text('')  # StarPU looks in the folder that has this file, and reads the others
    (bus / f'{o.name}.platform.v4.xml').write_text(platform(o, cpu, gpus))


main()
