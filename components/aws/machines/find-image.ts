import { getAmi } from "@pulumi/aws/ec2/getAmi";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { takesHooks } from "../../pulumi/engine";
import { plainError } from "../../pulumi/errors";
import type { Aws, AwsInstance } from "../model";
import { type LookedUpImage, nameOfImage, queryOf, tooOld } from "./images";

export interface PoolImage {
    readonly id: pulumi.Input<string>;
    /** Name of the AMI that would be found now. @default - none is, or it was asked for by its id */
    readonly newest: Promise<string | undefined>;
}

/**
 * The AMIs that instances boot, by pool.
 *
 * The id of one that is looked up is remembered in the stack, until another is asked for: that is another resource.
 */
export function createImages(
    name: string,
    instances: Aws["instances"],
    opts: pulumi.CustomResourceOptions,
): Record<string, PoolImage> {
    const made = new Map<string, PoolImage>();
    return Object.fromEntries(
        Object.entries(instances).map(([pool, instance]) => {
            const key = `${nameOfImage(instance.image)} ${instance.architecture}`;
            const image = made.get(key) ?? createImage(name, instance, opts);
            made.set(key, image);
            return [pool, image];
        }),
    );
}

function createImage(
    cluster: string,
    { image, architecture }: AwsInstance,
    opts: pulumi.CustomResourceOptions,
): PoolImage {
    if ("id" in image) {
        return { id: image.id, newest: Promise.resolve(undefined) };
    }
    const name = nameOfImage(image);
    const { owner, filters } = queryOf(image, architecture);
    const found = getAmi({ owners: [owner], mostRecent: true, filters }, { parent: opts.parent }).then(
        (ami) => checkedImage(image, ami),
        ({ message }: Error) => {
            const legal = `an AMI of ${architecture} that is there in the region`;
            return { refusal: `${image.option} must be ${legal}, got ${name}: ${message}` };
        },
    );
    const resource = `${cluster}-image-${name}${architecture === "arm64" ? "-arm64" : ""}`;
    const hooks = takesHooks() ? { beforeCreate: [mustBeThere(resource, found)] } : undefined;
    const { stdout } = new local.Command(
        resource,
        { create: pulumi.output(found).apply((ami) => ("id" in ami ? `echo ${ami.id}` : "exit 1")) },
        { ...opts, ignoreChanges: ["create"], ...(hooks && { hooks }) },
    );
    const newest = found.then((ami) => ("id" in ami ? ami.name : undefined));
    return { id: stdout.apply((text) => text.trim()), newest };
}

type Found = { readonly id: string; readonly name: string } | { readonly refusal: string };

/** The newest of a channel may be too old: Flatcar's LTS of 2024 is. */
function checkedImage(image: LookedUpImage, { id, name }: { readonly id: string; readonly name: string }): Found {
    const problem = tooOld(image.distribution, /\d+(\.\d+){2,3}/.exec(name ?? "")?.[0]);
    if (problem === undefined) return { id, name };
    return { refusal: `${image.option} must be ${problem}, got ${nameOfImage(image)}` };
}

/**
 * Refuses an image that nobody finds, in previews too, unless one is remembered: old AMIs are taken back by who publishes them, and
 * a cluster that booted one goes on.
 */
function mustBeThere(resource: string, found: Promise<Found>): pulumi.ResourceHook {
    return new pulumi.ResourceHook(
        `${resource}-is-there`,
        async () => {
            const ami = await found;
            if ("refusal" in ami) throw plainError(ami.refusal);
        },
        { onDryRun: true },
    );
}
