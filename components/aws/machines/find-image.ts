import { getAmi } from "@pulumi/aws/ec2/getAmi";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { takesHooks } from "../../pulumi/engine";
import { plainError } from "../../pulumi/errors";
import type { Aws, AwsInstance } from "../model";
import { type LookedUpImage, nameOfImage, queryOf, tooOld } from "./images";

export interface PoolImage {
    readonly id: pulumi.Input<string>;
    /** Name of the AMI that would be found now. @default - none, or the AMI is given by id */
    readonly newest: Promise<string | undefined>;
}

/**
 * The AMIs that instances boot, by pool.
 *
 * The stack remembers the id found by a lookup until the option changes, which makes it another resource.
 */
export function createImages(
    name: string,
    instances: Aws["instances"],
    opts: pulumi.CustomResourceOptions,
): Record<string, PoolImage> {
    const images = new Map<pulumi.Input<string>, PoolImage>();
    return Object.fromEntries(
        Object.entries(instances).map(([pool, instance]) => {
            const { image: given, architecture } = instance;
            const key = "id" in given ? given.id : `${nameOfImage(given)} ${architecture}`;
            const image = images.get(key) ?? createImage(name, instance, opts);
            images.set(key, image);
            return [pool, image];
        }),
    );
}

function createImage(
    cluster: string,
    { image, architecture }: AwsInstance,
    opts: pulumi.CustomResourceOptions,
): PoolImage {
    if ("id" in image) return { id: image.id, newest: Promise.resolve(undefined) };
    const name = nameOfImage(image);
    const { owner, filters } = queryOf(image, architecture);
    const found = getAmi({ owners: [owner], mostRecent: true, filters }, { parent: opts.parent }).then(
        (ami) => checkedImage(image, ami),
        ({ message }: Error) => {
            const legal = `an existing ${architecture} AMI in the region`;
            return { refusal: `${image.option} must be ${legal} (got ${name}): ${message}` };
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

/** The newest image of a channel may be too old, as Flatcar's LTS of 2024 is. */
function checkedImage(image: LookedUpImage, { id, name }: { readonly id: string; readonly name: string }): Found {
    const problem = tooOld(image.distribution, /\d+(\.\d+){2,3}/.exec(name ?? "")?.[0]);
    if (problem === undefined) return { id, name };
    return { refusal: `${image.option} must be ${problem} (got ${nameOfImage(image)})` };
}

/**
 * Refuses an image that cannot be found, at preview too, unless one is remembered: publishers withdraw old AMIs, and a
 * cluster that booted one keeps working.
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
