import type { Act, Fault, Scene } from "./fault";
import { signal } from "./processes";

const manifest = "/etc/kubernetes/manifests/etcd.json";
const held = "/etc/kubernetes/etcd.json.held";

/** Takes etcd's static pod away from the kubelet, and resolves when it has ended. */
export async function stopEtcd({ cluster }: Scene, machine: string): Promise<void> {
    await cluster.exec(machine, `[ ! -e ${manifest} ] || mv ${manifest} ${held}`);
    await cluster.exec(machine, "for i in $(seq 120); do pgrep -x etcd >/dev/null || exit 0; sleep 1; done; exit 1");
}

/** Gives it back. */
export async function startEtcd({ cluster }: Scene, machine: string): Promise<void> {
    await cluster.exec(machine, `[ ! -e ${held} ] || mv ${held} ${manifest}`);
}

const onAll =
    (act: Act): Act =>
    async (scene) => {
        await Promise.all(scene.controllers.map((controller) => act(scene, controller)));
    };

/** Faults of etcd itself; with every member struck the API is down. */
export const etcdFaults: readonly Fault[] = [
    {
        name: "etcd-killed",
        about: "one member gets SIGKILL",
        target: "controller",
        group: "etcd",
        inject: signal("etcd", "KILL"),
    },
    {
        name: "etcd-hangs",
        about: "one member takes connections and answers none",
        target: "controller",
        lasts: 45,
        group: "etcd",
        inject: signal("etcd", "STOP"),
        heal: signal("etcd", "CONT"),
    },
    {
        name: "api-hangs",
        about: "every member hangs, and so does the API",
        target: "cluster",
        lasts: 90,
        group: "etcd",
        inject: onAll(signal("etcd", "STOP")),
        heal: onAll(signal("etcd", "CONT")),
    },
    {
        name: "api-down",
        about: "every member is stopped: no API for minutes",
        target: "cluster",
        lasts: 180,
        group: "etcd",
        within: 420,
        inject: onAll(stopEtcd),
        heal: onAll(startEtcd),
    },
];
