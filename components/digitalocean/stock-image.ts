import * as pulumi from "@pulumi/pulumi";
import type { NodeDownloads } from "../nodes/downloads";
import type { DigitalOcean } from "./resolve";

/** Slugs of images that the service makes of distributions: no containerd is among their packages. */
const distributions = /^(almalinux|centos-stream|debian|fedora|rockylinux|ubuntu)-/;

/** Warns of droplets that would have nothing to run containers by. A snippet may see to that. */
export function warnOfStockImage(
    { image }: Pick<DigitalOcean, "image">,
    { containerRuntime }: Pick<NodeDownloads, "containerRuntime">,
    component: pulumi.Resource,
): void {
    if (containerRuntime || !distributions.test(image)) return;
    const what = `the image ${image} has no containerd, without which a droplet becomes no node`;
    pulumi.log.warn(`${what}: see downloads.containerRuntime, or take an image of yours that has it`, component);
}
