import * as pulumi from "@pulumi/pulumi";
import { knownValue, takesHooks } from "../../pulumi/engine";
import { plainError } from "../../pulumi/errors";
import { after } from "../../pulumi/must-be-new";
import { type Offers, offerProblem } from "../judge-account";

interface Placed {
    readonly node: string;
    /** With its type: `controllers`, `workerPools[0]`. */
    readonly option: string;
    readonly region: string;
    readonly offers: Promise<Offers | undefined>;
}

/**
 * Options of what fixes an instance's zone: they refuse, at preview too, a zone that does not have its type.
 *
 * @param zone - of the instance. @default that of a controller's etcd volume, whose options these are
 */
export function startsInZone(type: string, placed: Placed, zone?: pulumi.Input<string>): pulumi.CustomResourceOptions {
    if (!takesHooks()) return {};
    const refuse = async ({ newInputs }: pulumi.ResourceHookArgs) => {
        const place = zone === undefined ? newInputs?.availabilityZone : await knownValue(pulumi.output(zone));
        await requireOffer(placed, type, place);
    };
    return {
        dependsOn: after(placed.offers),
        hooks: { beforeCreate: [new pulumi.ResourceHook(`${placed.node}-starts-in-zone`, refuse, { onDryRun: true })] },
    };
}

/** Refuses, at preview too, another type for an existing instance that its zone does not have. */
export function restartsInZone(placed: Placed): pulumi.ResourceHook {
    return new pulumi.ResourceHook(
        `${placed.node}-restarts-in-zone`,
        async ({ oldInputs, newInputs, oldOutputs }) => {
            if (oldInputs?.instanceType === newInputs?.instanceType) return;
            await requireOffer(placed, newInputs?.instanceType, oldOutputs?.availabilityZone);
        },
        { onDryRun: true },
    );
}

async function requireOffer({ node, option, region, offers }: Placed, type: unknown, zone: unknown): Promise<void> {
    // One that is unknown at preview is not a name.
    if (typeof type !== "string" || typeof zone !== "string" || !zone.startsWith(region)) return;
    const problem = offerProblem(`${option}.instanceType`, node, { type, zone }, (await offers) ?? {});
    if (problem !== undefined) throw plainError(problem);
}
