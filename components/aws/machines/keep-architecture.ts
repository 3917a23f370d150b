import { getInstance } from "@pulumi/aws/ec2/getInstance";
import * as pulumi from "@pulumi/pulumi";
import { plainError } from "../../pulumi/errors";
import { log } from "../../pulumi/log";
import { ownTag } from "../tags";
import { architectureOf } from "./instance-types";

/**
 * A controller's instance type. Refuses one of another architecture for an existing controller, before the engine sees
 * it: the provider would delete the instance, and those of all other controllers, to replace them. A controller that is
 * listed in `recreate` may be replaced.
 */
export function keepArchitecture(
    node: string,
    instanceType: string,
    { parent }: Pick<pulumi.CustomResourceOptions, "parent">,
    cluster: string,
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
        const problem = has && architectureProblem(node, instanceType, has);
        if (problem) throw plainError(problem);
        return instanceType;
    });
}

/** Why a controller that has an instance type cannot have another one. */
export function architectureProblem(node: string, instanceType: string, has: string): string | undefined {
    const architecture = architectureOf(has);
    if (architectureOf(instanceType) === architecture) return undefined;
    return `controllers.instanceType must remain ${architecture} like ${node} (got ${instanceType}): to change it, list one controller at a time in recreate`;
}
