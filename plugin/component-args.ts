import * as pulumi from "@pulumi/pulumi";
import { invalid } from "../components/cluster/validate";

/** Arguments that may come from another resource, or be secret. */
const LATE = ["etcdSnapshotSecrets", "cloudTokens"];

/**
 * A component's arguments, of those that came through the engine.
 *
 * @throws when one that shapes the cluster is not known yet, or a secret, which then is in no form for people to read
 */
export function componentArgs(inputs: pulumi.Inputs): pulumi.Inputs {
    const args: pulumi.Inputs = {};
    for (const [option, value] of Object.entries(inputs)) {
        if (!LATE.includes(option)) requirePlain(option, value);
        args[option] = LATE.includes(option) ? pulumi.output(value) : inOrder(value);
    }
    const encryption: readonly string[] | undefined = args.keys?.encryption;
    return encryption ? { ...args, keys: { ...args.keys, encryption: encryption.map(generation) } } : args;
}

function requirePlain(option: string, value: unknown): void {
    if (pulumi.Output.isInstance(value)) {
        throw invalid(option, "a value that the program itself has", "one of a resource, or a secret");
    }
    if (typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value)) {
        requirePlain(Array.isArray(value) ? `${option}[${key}]` : `${option}.${key}`, each);
    }
}

/** Maps come in another order in every run, and a kubelet's command line has that of its labels. */
function inOrder(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(inOrder);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]));
}

/** Lists of the schema hold values of one type. */
function generation(key: string): number | string {
    return /^\d+$/.test(key) ? Number(key) : key;
}
