import { getAmi } from "@pulumi/aws/ec2/getAmi";
import * as pulumi from "@pulumi/pulumi";
import { whichAreKnown } from "../known";
import { describeImageEnd, type ImageState, type ImageUse } from "./image-end";
import { nameOfImage } from "./image-options";
import type { AwsInstance } from "./resolve";

/** Machines that boot an AMI whose id the stack remembers. */
export interface BootedImage {
    /** `pool default`, or a controller's name. */
    readonly machines: string;
    readonly instance: Pick<AwsInstance, "image">;
    readonly id: pulumi.Input<string>;
    /** Name of the newest AMI of its channel, as a look-up found it. */
    readonly newest: Promise<string | undefined>;
}

/**
 * Looks up in every preview which AMIs machines boot, and warns of those that end: the stack remembers the id of one for as
 * long as its option is the same, and its publisher does not keep it for that long.
 */
export function warnOfImages(booted: readonly BootedImage[], parent: pulumi.Resource): void {
    const all = booted.map(({ machines, instance, id, newest }) =>
        pulumi.all([id, newest]).apply(([ami, name]) => useOf(machines, instance, ami, name)),
    );
    // One that is new is not known in preview, and not old.
    whichAreKnown(all).apply(async (uses) => {
        for (const use of joined(uses)) {
            const warning = describeImageEnd(use, await look(use.id, parent), Date.now());
            if (warning !== undefined) await pulumi.log.warn(warning, parent);
        }
    });
}

function useOf(machines: string, { image }: Pick<AwsInstance, "image">, id: string, newest?: string): ImageUse {
    const use = { id, asked: nameOfImage(image), machines: [machines] };
    if ("id" in image) return use;
    const { distribution, channel } = image;
    const version = /\d+(\.\d+){2,3}/.exec(newest ?? "")?.[0];
    return { ...use, distribution, ...(version && { newest: `${distribution}-${channel}-${version}` }) };
}

/** One of each AMI, with all that boots it. */
function joined(uses: readonly ImageUse[]): ImageUse[] {
    const byId = new Map<string, ImageUse>();
    for (const use of uses) {
        const { machines = [] } = byId.get(use.id) ?? {};
        byId.set(use.id, { ...use, machines: [...machines, ...use.machines] });
    }
    return [...byId.values()];
}

async function look(id: string, parent: pulumi.Resource): Promise<ImageState> {
    try {
        const filters = [{ name: "image-id", values: [id] }];
        return { seen: await getAmi({ filters, includeDeprecated: true }, { parent }) };
    } catch (error) {
        const { message } = error as Error;
        // In the provider's words.
        return /returned no results/.test(message) ? { isGone: true } : { problem: message };
    }
}
