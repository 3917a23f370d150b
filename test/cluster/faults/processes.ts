import type { Act, Fault, Scene } from "./fault";

/** Sends a signal to the processes of a name on a machine; fails if there are none. */
export function signal(process: string, name: "KILL" | "STOP" | "CONT"): Act {
    return async ({ cluster }: Scene, machine: string) => {
        await cluster.exec(machine, `pkill -${name} -x ${process}`);
    };
}

const systemctl =
    (verb: string, unit: string): Act =>
    async ({ cluster }, machine) => {
        await cluster.exec(machine, `systemctl ${verb} ${unit}`);
    };

/** Processes of a node other than its pods. */
export const processFaults: readonly Fault[] = [
    {
        name: "kubelet-killed",
        about: "the kubelet gets SIGKILL while it writes its server's certificate",
        target: "node",
        group: "kubelet",
        inject: async (scene, machine) => {
            await signal("kubelet", "KILL")(scene, machine);
            await scene.cluster.exec(machine, "truncate --size 0 --no-create /var/lib/kubelet/pki/kubelet.crt");
        },
    },
    {
        name: "kubelet-stopped",
        about: "the kubelet is stopped, for longer than its node stays Ready",
        target: "node",
        lasts: 60,
        group: "kubelet",
        inject: systemctl("stop", "kubelet"),
        heal: systemctl("start", "kubelet"),
    },
    {
        name: "kubelet-without-api",
        about: "the kubelet restarts, and meanwhile its node's kube-apiserver gets SIGKILL: it never learns of that pod",
        target: "controller",
        group: "kubelet",
        inject: async (scene, machine) => {
            await systemctl("stop", "kubelet")(scene, machine);
            await signal("kube-apiserver", "KILL")(scene, machine);
            await systemctl("start", "kubelet")(scene, machine);
        },
    },
    {
        name: "containerd-killed",
        about: "containerd gets SIGKILL",
        target: "node",
        group: "containerd",
        inject: signal("containerd", "KILL"),
    },
    {
        name: "containerd-stopped",
        about: "containerd is stopped, and started again: the kubelet is not",
        target: "node",
        lasts: 60,
        group: "containerd",
        inject: systemctl("stop", "containerd"),
        heal: systemctl("start", "containerd"),
    },
    {
        name: "containerd-hangs",
        about: "containerd accepts requests and answers none",
        target: "node",
        lasts: 60,
        group: "containerd",
        inject: signal("containerd", "STOP"),
        heal: signal("containerd", "CONT"),
    },
];
