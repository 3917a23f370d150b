import { setTimeout as sleep } from "node:timers/promises";
import { list, powerCut, powerOff, powerOn, reboot } from "../../../machines";
import type { Act, Fault, Scene } from "./fault";

const cut: Act = ({ cluster }, machine) => powerCut(cluster.name, machine);
const cutAll = ({ cluster }: Scene, machines: readonly string[]) =>
    Promise.all(machines.map((machine) => powerCut(cluster.name, machine)));

/** Powers on a machine. */
async function on({ cluster }: Scene, machine: string): Promise<void> {
    const [found] = (await list(cluster.name)).filter(({ name }) => name === machine);
    if (found?.state !== "running") await powerOn(cluster.name, machine);
}

/** Machines that lose power without notice, and return. */
export const powerFaults: readonly Fault[] = [
    { name: "worker-cut", about: "a worker loses power", target: "worker", group: "power", inject: cut },
    { name: "controller-cut", about: "a controller loses power", target: "controller", group: "power", inject: cut },
    {
        name: "controller-off",
        about: "a controller is without power, for longer than its node stays Ready",
        target: "controller",
        lasts: 75,
        group: "power",
        inject: ({ cluster }, machine) => powerOff(cluster.name, machine),
        heal: on,
    },
    {
        name: "controllers-cut",
        about: "every controller loses power at once",
        target: "cluster",
        group: "power",
        within: 360,
        inject: async (scene) => {
            await cutAll(scene, scene.controllers);
        },
    },
    {
        name: "everything-cut",
        about: "every machine loses power at once",
        target: "cluster",
        group: "power",
        within: 360,
        inject: async (scene) => {
            await cutAll(scene, [...scene.controllers, ...scene.workers]);
        },
    },
    {
        name: "controller-rebooted",
        about: "a controller is rebooted gracefully",
        target: "controller",
        group: "power",
        inject: ({ cluster }, machine) => reboot(cluster.name, machine),
    },
    {
        name: "upgrade-cut",
        about: "a controller loses power while checkpointer and kube-apiserver are rolled together",
        target: "controller",
        group: "power",
        within: 420,
        inject: async ({ cluster }, machine, random) => {
            const both = ["daemonset/checkpointer", "daemonset/kube-apiserver"];
            await cluster.kubectl("-n", "kube-system", "rollout", "restart", ...both);
            // At some point of the rollout, which takes longer.
            await sleep(random() * 20_000);
            await powerCut(cluster.name, machine);
        },
    },
];
