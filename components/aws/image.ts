import { getAmi } from "@pulumi/aws/ec2/getAmi";
import { local } from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";
import { lookUp } from "./look-up";
import type { Aws, AwsInstance } from "./resolve";

/** Flatcar's account. Source: its documentation of AWS. */
const flatcar = "075585003325";

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
            const key = `${specOf(instance)} ${instance.architecture}`;
            const image = made.get(key) ?? createImage(name, instance, opts);
            made.set(key, image);
            return [pool, image];
        }),
    );
}

function createImage(
    name: string,
    { image, architecture }: AwsInstance,
    opts: pulumi.CustomResourceOptions,
): pulumi.Input<string> {
    if ("id" in image) {
        return image.id;
    }
    const { channel, version } = image;
    const spec = specOf({ image });
    const isArm = architecture === "arm64";
    const ami = getAmi(
        {
            owners: [flatcar],
            mostRecent: true,
            filters: [
                { name: "name", values: [`Flatcar-${channel}-${version ?? "*"}${isArm ? "*" : ""}-hvm`] },
                { name: "architecture", values: [isArm ? "arm64" : "x86_64"] },
            ],
        },
        { parent: opts.parent },
    );
    const found = lookUp(ami, image.option, `an AMI of ${architecture} that is there in the region`, spec);
    const { stdout } = new local.Command(
        `${name}-image-${spec}${isArm ? "-arm64" : ""}`,
        { create: found.id.apply((id) => `echo ${id}`) },
        { ...opts, ignoreChanges: ["create"] },
    );
    return stdout.apply((text) => text.trim());
}

function specOf({ image }: Pick<AwsInstance, "image">): string {
    return "id" in image ? image.id : ["flatcar", image.channel, ...(image.version ? [image.version] : [])].join("-");
}
