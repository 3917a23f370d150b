import type { Ownerships } from "../shared/ownership";

/**
 * What `@pulumi/digitalocean` 4 replaces, what others change too, and what a deletion takes along, by type and only for
 * inputs that are simulated.
 *
 * Source: `ForceNew` and `CustomizeDiff` of the resources in digitalocean/terraform-provider-digitalocean.
 */
export const ownership: Ownerships = {
    "digitalocean:index/customImage:CustomImage": {
        replacedBy: ["url"],
        sometimesReplacedBy: {
            regions: {
                when: "one is removed",
                isReplaced: (before: readonly string[], after: readonly string[]) =>
                    !before.every((each) => after.includes(each)),
            },
        },
        shared: {
            regions: { with: "transfers of the image to more regions", safe: { because: "such an image is removed" } },
        },
        name: "name",
    },
    "digitalocean:index/dnsRecord:DnsRecord": { replacedBy: ["domain", "type"], name: "name" },
    "digitalocean:index/domain:Domain": { replacedBy: ["name"], takes: "its records" },
    "digitalocean:index/droplet:Droplet": {
        replacedBy: ["region", "image", "vpcUuid", "userData", "sshKeys", "dropletAgent", "monitoring"],
        sometimesReplacedBy: {
            ipv6: {
                when: "it is turned off",
                isReplaced: (before?: boolean, after?: boolean) => before === true && !after,
            },
        },
        name: "name",
        shared: {
            volumeIds: { with: "the CSI driver, which attaches volumes of pods", safe: "ignored" },
        },
        takes: "its disk and its addresses",
    },
    "digitalocean:index/firewall:Firewall": {
        replacedBy: [],
        omitted: { dropletIds: "droplets are selected by tags, also those that others create" },
    },
    "digitalocean:index/loadBalancer:LoadBalancer": {
        replacedBy: ["region", "vpcUuid", "type"],
        name: "name",
        takes: "its address",
    },
    "digitalocean:index/project:Project": {
        replacedBy: [],
        name: "name",
        omitted: { resources: "the cluster, which assigns what it creates" },
    },
    "digitalocean:index/projectResources:ProjectResources": { replacedBy: ["project"] },
    "digitalocean:index/spacesBucket:SpacesBucket": {
        replacedBy: ["name", "region"],
        name: "name",
        takes: "its objects, with `forceDestroy`",
    },
    "digitalocean:index/spacesKey:SpacesKey": { replacedBy: [], name: "name" },
    "digitalocean:index/sshKey:SshKey": { replacedBy: ["publicKey"], name: "name" },
    "digitalocean:index/tag:Tag": {
        replacedBy: ["name"],
        name: "name",
        takes: "itself from every resource that has it",
    },
    "digitalocean:index/volume:Volume": {
        replacedBy: ["name", "region", "description"],
        name: "name",
        takes: "its data",
    },
    "digitalocean:index/vpc:Vpc": { replacedBy: ["region", "ipRange"], name: "name" },
};
