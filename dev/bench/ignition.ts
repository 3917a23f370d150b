import { workerConfig } from "../../cluster/machines/worker";
import { placeholderCredentials } from "../../cluster/manifests/control-plane/placeholder";
import { resolveCluster } from "../../cluster/resolve";
import { type Config, render } from "../../ignition";
import { compare, type Report } from "./report";

const NODES = 1000;
const ROUNDS = 7;

const download = { urls: ["http://mirror.bench.test:8080/file"], sha256: "0".repeat(64) };

/** A pool of a thousand workers: from options to node configs. */
export async function run({ result, say }: Report): Promise<void> {
    const cluster = resolveCluster({
        name: "bench",
        workerPools: [{ name: "default", count: NODES }],
        network: { podCidr: "10.16.0.0/12" },
    });
    const pool = cluster.workerPools[0]!;
    const secrets = placeholderCredentials(cluster);
    const build = (name: string, index: number): Config =>
        workerConfig(cluster, pool, {
            machine: { name, address: `10.117.${index >> 8}.${index & 255}` },
            downloads: { kubelet: download, cniPlugins: download, registryMirror: "http://mirror.bench.test:5000" },
            ca: secrets.kubernetesCa.cert,
            bootstrapToken: secrets.bootstrapTokens[name] ?? "",
        });
    const configs = pool.nodes.map(build);
    const bytes = configs.reduce((sum, config) => sum + render(config).length, 0);
    say(`${NODES} configs of ${Math.round(bytes / NODES)} bytes each, ${ROUNDS} rounds`);
    const plain = () => configs.map((config) => JSON.stringify(config));
    const peer = `JSON.stringify of the same ${NODES} configs`;

    const rendering = await compare(ROUNDS, () => configs.map(render), plain);
    result({
        name: "ignition.render",
        value: rendering.value,
        unit: "ms",
        peer,
        ratio: rendering.value / rendering.peer,
        goal: 5,
    });
    const making = await compare(ROUNDS, () => pool.nodes.map((name, index) => render(build(name, index))), plain);
    result({
        name: "ignition.make-and-render",
        value: making.value,
        unit: "ms",
        peer,
        ratio: making.value / making.peer,
        goal: 20,
    });
}
