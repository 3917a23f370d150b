import { getAmi } from "@pulumi/aws/ec2/getAmi";
import { local } from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";
import { lookUp } from "../look-up";
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
    const ami = getAmi({ owners: [owner], mostRecent: true, filters }, { parent: opts.parent });
    const found = lookUp(ami, image.option, `an AMI of ${architecture} that is there in the region`, name);
    const { stdout } = new local.Command(
        `${cluster}-image-${name}${architecture === "arm64" ? "-arm64" : ""}`,
        { create: found.id.apply((id) => `echo ${id}`) },
        { ...opts, ignoreChanges: ["create"] },
    );
    return stdout.apply((text) => text.trim());
}
