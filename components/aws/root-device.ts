import { getAmi } from "@pulumi/aws/ec2/getAmi";
import type * as pulumi from "@pulumi/pulumi";
import { lookUp } from "../look-up";
import type { Aws, AwsInstance } from "./resolve";

/** Where the AMIs of Flatcar and Fedora CoreOS have their root volume. */
const ignitionRoot = "/dev/xvda";

/**
 * The device that an image has its root volume at. Under another name a launch template would add a blank volume, and leave the root as
 * the image has it: of another size, and not encrypted.
 *
 * What takes cloud-init is asked for: Ubuntu has `/dev/sda1`, Debian `/dev/xvda`.
 */
export function rootDeviceOf(
    { os }: Pick<Aws, "os">,
    { image }: Pick<AwsInstance, "image">,
    parent: pulumi.Resource | undefined,
): pulumi.Input<string> {
    if (os !== "cloud-init" || !("id" in image)) return ignitionRoot;
    const ami = getAmi({ filters: [{ name: "image-id", values: [image.id] }] }, { parent });
    return lookUp(ami, image.option, "an AMI that is there in the region", image.id).rootDeviceName;
}
