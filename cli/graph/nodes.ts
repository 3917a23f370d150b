import { type Fact, ifKnown } from "../status/fact";
import type { ClusterFacts, Serving } from "../status/facts";
import type { StackFacts, StackMachine } from "./stack-facts";
import type { NodeView, Stated } from "./topology";

/** The names of all controllers that anybody knows. */
export function controllerNames({ nodes, controllers, etcd }: ClusterFacts, own: StackFacts | undefined): string[] {
    const byAddress = new Map(Object.entries(own?.machines ?? {}).map(([name, { address }]) => [address, name]));
    const names = new Set([
        ...(own?.controllers ?? []),
        ...(ifKnown(nodes) ?? []).filter(({ isController }) => isController).map(({ name }) => name),
        // One that was given by its address is known by that alone.
        ...controllers.map(({ name, address }) => byAddress.get(address) ?? name),
        ...(ifKnown(etcd)?.members ?? []).map(({ name }) => name),
    ]);
    return [...names].filter(Boolean).sort(byNumber);
}

/** A node with what is known of it and its machine. */
export function nodeOf(name: string, facts: ClusterFacts, own: StackFacts | undefined): NodeView {
    const node = ifKnown(facts.nodes)?.find((each) => each.name === name);
    const machine = ifKnown(facts.machines)?.find((each) => each.name === name);
    const made: StackMachine = own?.machines[name] ?? {};
    const probe = facts.controllers.find((each) => each.name === name || each.address === made.address);
    const address = node?.address ?? made.address ?? machine?.address ?? probe?.address;
    return {
        name,
        where: [address, made.size, made.zone].filter((each) => each !== undefined),
        ...(node && { version: node.kubelet }),
        ...stateOf(name, facts),
    };
}

/** As the API has it, else as far as its machine and its kubelet answer. */
function stateOf(name: string, { nodes, machines, controllers }: ClusterFacts): Stated {
    const machine = ifKnown(machines)?.find((each) => each.name === name);
    const isOff = machine !== undefined && !["running", "unreached"].includes(machine.state);
    if ("value" in nodes) {
        const node = nodes.value.find((each) => each.name === name);
        if (node === undefined) return { meaning: "bad", words: isOff ? `machine ${machine.state}` : "no node" };
        if (!node.isReady)
            return { meaning: "bad", words: isOff ? `not Ready, machine ${machine.state}` : "not Ready" };
        return node.isCordoned ? { meaning: "warning", words: "Ready, cordoned" } : { meaning: "good", words: "Ready" };
    }
    if (isOff) return { meaning: "bad", words: `machine ${machine.state}` };
    const kubelet = controllers.find((each) => each.name === name)?.kubelet;
    const inside = ifKnown(machine?.inside)?.kubelet;
    if (kubelet && "value" in kubelet && !kubelet.value.isReady) {
        return { meaning: "bad", words: `kubelet: ${kubelet.value.detail}` };
    }
    return { meaning: "unknown", words: ifKnown(kubelet) || inside === "ok" ? "kubelet answers" : "unknown" };
}

/** What was answered, or why it is not known. */
export function stated(fact: Fact<Serving>): Stated {
    return "unknown" in fact
        ? { meaning: "unknown", words: `unknown: ${fact.unknown}` }
        : { meaning: fact.value.isReady ? "good" : "bad", words: fact.value.detail };
}

export const byNumber = new Intl.Collator("en", { numeric: true }).compare;
