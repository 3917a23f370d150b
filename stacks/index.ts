import * as pulumi from "@pulumi/pulumi";
import { takesHooks } from "../components/pulumi/engine";
import { plainError } from "../components/pulumi/errors";
import { cloud } from "./config";

/**
 * The name of the stack's cluster, once the state has no other: that of the stack, or `tradewind:name`.
 *
 * Every resource is named by it. A renamed stack would make another cluster, and delete the one that exists.
 *
 * @throws RunError where the cluster has another name
 */
async function keptName(): Promise<string> {
    const name = new pulumi.Config("tradewind").get("name") ?? pulumi.getStack();
    // Nothing else is registered before: an `up` that is refused has changed nothing.
    await (new ClusterName(name).urn as unknown as { promise(): Promise<string> }).promise();
    return name;
}

/** Keeps the name in the state. It is not named by the stack, so that a renamed one finds it. */
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
            const wanted = (newInputs as { name?: string }).name;
            if (has !== undefined && has !== wanted) throw plainError(renamed(has, `${wanted}`));
        },
        { onDryRun: true },
    );
}

/** What a preview of a stack with another name is refused with. */
function renamed(has: string, wanted: string): string {
    return [
        `the cluster's name must stay ${has}, got ${wanted}: with another name the stack would make another cluster`,
        `Rename the stack back (pulumi stack rename ${has}), or keep the cluster's name in it, on clouds (pulumi config set tradewind:name ${has})`,
    ].join("\n");
}

/** Loaded when it is wanted: the SDK of a cloud takes time. */
const stacks = {
    local: (name: string) => (require("./local") as typeof import("./local")).local(name),
    aws: (name: string) => (require("./aws") as typeof import("./aws")).aws(name),
    digitalocean: (name: string) => (require("./digitalocean") as typeof import("./digitalocean")).digitalocean(name),
};

/** The stack's outputs. */
async function main() {
    const stack = stacks[cloud(Object.keys(stacks) as (keyof typeof stacks)[])];
    return stack(await keptName());
}

module.exports = main();
