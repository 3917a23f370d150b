import { getAmi } from "@pulumi/aws/ec2/getAmi";
import { local } from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";
import { lookUp } from "./look-up";
import type { Image } from "./resolve";

/** Flatcar's account. Source: its documentation of AWS. */
const flatcar = "075585003325";

/**
 * Id of the AMI that instances boot.
 *
 * One that is looked up is remembered in the stack, until another is asked for: that is another resource.
 */
export function createImage(name: string, image: Image, opts: pulumi.CustomResourceOptions): pulumi.Input<string> {
    if ("id" in image) {
        return image.id;
    }
    const { channel, version } = image;
    const spec = ["flatcar", channel, ...(version ? [version] : [])].join("-");
    const ami = getAmi(
        {
            owners: [flatcar],
            mostRecent: true,
            filters: [
                { name: "name", values: [`Flatcar-${channel}-${version ?? "*"}-hvm`] },
                { name: "architecture", values: ["x86_64"] },
            ],
        },
        { parent: opts.parent },
    );
    const found = lookUp(ami, "image", "an AMI that is there in the region", spec);
    const { stdout } = new local.Command(
        `${name}-image-${spec}`,
        { create: found.id.apply((id) => `echo ${id}`) },
        { ...opts, ignoreChanges: ["create"] },
    );
    return stdout.apply((text) => text.trim());
}
