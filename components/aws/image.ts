import { getAmi } from "@pulumi/aws/ec2/getAmi";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { plainError } from "../plain-error";
import { takesHooks } from "../takes-hooks";
import { nameOfImage, queryOf } from "./image-options";
import type { Aws, AwsInstance } from "./resolve";

/**
 * Ids of the AMIs that instances boot, by pool.
 *
 * One that is looked up is remembered in the stack, until another is asked for: that is another resource.
 */
export function createImages(
    name: string,
    instances: Aws["instances"],
    opts: pulumi.CustomResourceOptions,
): Record<string, pulumi.Input<string>> {
    const made = new Map<string, pulumi.Input<string>>();
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
): pulumi.Input<string> {
    if ("id" in image) {
        return image.id;
    }
    const name = nameOfImage(image);
    const { owner, filters } = queryOf(image, architecture);
    const found = getAmi({ owners: [owner], mostRecent: true, filters }, { parent: opts.parent }).then(
        ({ id }) => ({ id }),
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
    return pulumi.all([stdout, found]).apply(([text, ami]) => {
        const id = text.trim();
        if ("refusal" in ami) pulumi.log.warn(`${ami.refusal}. What boots goes on to be ${id}`, opts.parent);
        return id;
    });
}

type Found = { readonly id: string } | { readonly refusal: string };

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
