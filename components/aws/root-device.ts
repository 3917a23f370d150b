import { getAmi } from "@pulumi/aws/ec2/getAmi";
import type * as pulumi from "@pulumi/pulumi";
import { lookUp } from "../look-up";
import type { AwsInstance } from "./resolve";

/** Where the AMIs that are looked up have their root volume: those of Flatcar and Fedora CoreOS. */
const publishedRoot = "/dev/xvda";

/**
 * The device that an image has its root volume at. Under another name a launch template would add a blank volume, and leave the root as
 * the image has it: of another size, and not encrypted.
 *
 * An AMI of yours is asked for: Ubuntu has `/dev/sda1`, Debian `/dev/xvda`. A deprecated one starts as well.
 */
export function rootDeviceOf(
    { image }: Pick<AwsInstance, "image">,
    parent: pulumi.Resource | undefined,
): pulumi.Input<string> {
    if (!("id" in image)) return publishedRoot;
    const filters = [{ name: "image-id", values: [image.id] }];
    const ami = getAmi({ filters, includeDeprecated: true }, { parent });
    return lookUp(ami, image.option, "an AMI that is there in the region", image.id).rootDeviceName;
}
