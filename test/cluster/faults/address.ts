import assert from "node:assert/strict";
import { containerName, docker, findNetwork, list, powerOff, powerOn } from "../../../machines";
import { networkName } from "../../../machines/names";
import { eventually } from "../cluster";
import type { Fault, Scene } from "./fault";

/** Seconds that a worker stays at its other address. */
const stay = 30;

/** Takes a machine off the network and gives it another address, as a DHCP server may after a power cut. */
export async function move({ cluster }: Scene, machine: string, address: string): Promise<void> {
    await powerOff(cluster.name, machine);
    const [network, container] = [networkName(cluster.name), containerName(cluster.name, machine)];
    await docker(["network", "disconnect", network, container]);
    await docker(["network", "connect", "--ip", address, network, container]);
    await powerOn(cluster.name, machine);
}

/** The address of a machine, and an unused one of its network. */
export async function addressesOf({ cluster }: Scene, machine: string): Promise<{ own: string; other: string }> {
    const machines = await list(cluster.name);
    const { subnet } = (await findNetwork(cluster.name))!;
    const prefix = subnet.slice(0, subnet.lastIndexOf(".") + 1);
    const used = new Set(machines.map(({ address }) => address));
    // From the end: the stack assigns addresses from the start.
    const free = Array.from({ length: 20 }, (_, index) => `${prefix}${254 - index}`).find((each) => !used.has(each))!;
    return { own: machines.find(({ name }) => name === machine)!.address, other: free };
}

/** The node reports its new address, which its pods, the API's access to its kubelet and the pod network depend on. */
async function isKnownAt({ cluster }: Scene, machine: string, address: string): Promise<void> {
    interface Node {
        readonly status: { readonly addresses: readonly { readonly type: string; readonly address: string }[] };
        readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
    }
    const { status, metadata } = await cluster.get<Node & { metadata: { name: string } }>("node", machine);
    assert.equal(status.addresses.find(({ type }) => type === "InternalIP")?.address, address);
    assert.equal(metadata.annotations?.["flannel.alpha.coreos.com/public-ip"], address);
}

const original = new Map<string, string>();

/** A worker whose address changes while it is off. */
export const addressFaults: readonly Fault[] = [
    {
        name: "worker-moved",
        about: "a worker returns from a power cut with another address",
        target: "worker",
        group: "power",
        lasts: stay,
        isAlone: true,
        inject: async (scene, machine) => {
            const { own, other } = await addressesOf(scene, machine);
            if (!original.has(machine)) original.set(machine, own);
            await move(scene, machine, other);
            await eventually(`${machine} at ${other}`, () => isKnownAt(scene, machine, other), 180);
        },
        heal: async (scene, machine) => {
            const own = original.get(machine);
            if (own) await move(scene, machine, own);
            original.delete(machine);
            if (own) await eventually(`${machine} at ${own}`, () => isKnownAt(scene, machine, own), 180);
        },
    },
];
