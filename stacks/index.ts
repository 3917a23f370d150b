import * as pulumi from "@pulumi/pulumi";
import type { CloudName } from "../cluster/clouds";
import { takesHooks } from "../components/pulumi/engine";
import { plainError } from "../components/pulumi/errors";
import { cloud } from "./config";

/**
 * Name of the stack's cluster, the stack's name or `tradewind:name`, after a check that the state has no other.
 *
 * Every resource name contains it. A renamed stack would create another cluster and delete the existing one.
 *
 * @throws RunError if the cluster in the state has another name
 */
async function keptName(): Promise<string> {
    const name = new pulumi.Config("tradewind").get("name") ?? pulumi.getStack();
    // Registered before anything else, so that a refused `pulumi up` changes nothing.
    await (new ClusterName(name).urn as unknown as { promise(): Promise<string> }).promise();
    return name;
}

/** Keeps the name in the state. Its own name does not contain the stack's, so that a renamed stack finds it. */
class ClusterName extends pulumi.ComponentResource {
    constructor(name: string) {
        const hooks = takesHooks() && { hooks: { beforeUpdate: [mustStay()] } };
        super("tradewind:index:ClusterName", "cluster-name", { name }, { ...hooks });
        this.registerOutputs();
    }
}

function mustStay(): pulumi.ResourceHook {
    return new pulumi.ResourceHook(
        "cluster-name-must-stay",
        ({ oldInputs, newInputs }) => {
            const has = (oldInputs as { name?: string }).name;
            const desired = (newInputs as { name?: string }).name;
            if (has !== undefined && has !== desired) throw plainError(renamed(has, `${desired}`));
        },
        { onDryRun: true },
    );
}

/** Error of a preview of a renamed stack. */
function renamed(has: string, desired: string): string {
    return [
        `the cluster name cannot be changed after creation (is ${has}, got ${desired}): another name would create another cluster`,
        `Rename the stack back (pulumi stack rename ${has}) or, on clouds, keep the cluster's name (pulumi config set tradewind:name ${has})`,
    ].join("\n");
}

/** Loaded on demand, because loading a cloud's SDK takes time. */
const stacks = {
    local: (name: string) => (require("./local") as typeof import("./local")).local(name),
    aws: (name: string) => (require("./aws") as typeof import("./aws")).aws(name),
    digitalocean: (name: string) => (require("./digitalocean") as typeof import("./digitalocean")).digitalocean(name),
} satisfies Record<"local" | CloudName, unknown>;

/** Outputs of the stack. */
async function main() {
    const stack = stacks[cloud(Object.keys(stacks) as (keyof typeof stacks)[])];
    return stack(await keptName());
}

const outputs = main();
// The SDK awaits them later. Until then, Node would warn about the rejection in the middle of the user's error.
outputs.catch(() => undefined);
module.exports = outputs;
