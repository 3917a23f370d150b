import { getInstance } from "@pulumi/aws/ec2/getInstance";
import * as pulumi from "@pulumi/pulumi";
import { plainError } from "../../pulumi/errors";
import { log } from "../../pulumi/log";
import { ownTag } from "../tags";
import { architectureOf } from "./instance-types";

/** An instance that the stack names. */
interface Named {
    readonly node: string;
    /** With its type: `controllers`, `workerPools[0]`. */
    readonly option: string;
    readonly cluster: string;
}

/**
 * An instance's type. Refuses one of another architecture for an existing instance, before the engine sees it: the
 * provider would delete the instance, and all others of its pool, to replace them. One that is listed in `recreate` may
 * be replaced.
 */
export function keepArchitecture(
    { node, option, cluster }: Named,
    instanceType: string,
    { parent }: Pick<pulumi.CustomResourceOptions, "parent">,
): pulumi.Output<string> {
    const filters = [
        { name: "tag:Name", values: [node] },
        { name: `tag:${ownTag}`, values: [cluster] },
        { name: "instance-state-name", values: ["pending", "running", "stopping", "stopped"] },
    ];
    const found = getInstance({ filters }, { parent }).then(
        ({ instanceType: has }) => has,
        async ({ message }: Error) => {
            // The provider's error message.
            if (/returned no results/.test(message)) return undefined;
            await log.warn(`could not look up the architecture of ${node}: ${message}`);
        },
    );
    return pulumi.output(found).apply((has) => {
        const problem = has && architectureProblem({ node, option }, instanceType, has);
        if (problem) throw plainError(problem);
        return instanceType;
    });
}

/** Why an instance that has a type cannot have another one. */
export function architectureProblem(
    { node, option }: Omit<Named, "cluster">,
    instanceType: string,
    has: string,
): string | undefined {
    const architecture = architectureOf(has);
    if (architectureOf(instanceType) === architecture) return undefined;
    return `${option}.instanceType must remain ${architecture} like ${node} (got ${instanceType}): to change it, list one machine at a time in recreate`;
}
