import type { LoadBalancer } from "@pulumi/aws/lb/loadBalancer";
import { getZone } from "@pulumi/aws/route53/getZone";
import { Record } from "@pulumi/aws/route53/record";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/model";
import { lookUp } from "./look-up";

/** The API's name, by which people and nodes find it, in the operator's public hosted zone. */
export function createDns(
    { name, apiName, zone }: Cluster,
    { dnsName, zoneId }: LoadBalancer,
    opts: pulumi.CustomResourceOptions,
): Record {
    const domain = zone.slice(name.length + 1);
    const zones = getZone({ name: domain, privateZone: false }, { parent: opts.parent });
    const hosted = lookUp(zones, "domain", "that of a public hosted zone of Route 53", domain);
    return new Record(
        `${name}-api`,
        {
            zoneId: hosted.zoneId,
            name: apiName,
            type: "A",
            aliases: [{ name: dnsName, zoneId, evaluateTargetHealth: false }],
        },
        opts,
    );
}
