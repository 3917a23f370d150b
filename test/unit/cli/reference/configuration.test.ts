import assert from "node:assert/strict";
import { configurationReference } from "../../../../cli/reference/configuration";
import { resolveAws } from "../../../../components/aws/resolve";
import { requireIngress } from "../../../../components/cluster/ingress";
import { resolveCluster } from "../../../../components/cluster/resolve";
import { resolveDigitalOcean } from "../../../../components/digitalocean/resolve";
import { localConfig } from "../../../../stacks/config";

const text = configurationReference();

/** Defaults by key, of the table below a heading. */
function defaultsIn(heading: string): Record<string, string> {
    const section = text.split(`## ${heading}\n`)[1]!.split("\n## ")[0]!;
    return Object.fromEntries(
        [...section.matchAll(/^\| `([^`]+)` +\| .*? +\| (.*?) +\|/gm)].map(([, key, value]) => [
            key,
            value!.replaceAll("`", ""),
        ]),
    );
}

/** What is documented of the keys that are given. */
function documented(heading: string, actual: Readonly<Record<string, unknown>>): void {
    const defaults = defaultsIn(heading);
    const of = Object.keys(actual).map((key) => [key, defaults[key]]);
    const said = Object.entries(actual).map(([key, value]) => [
        key,
        typeof value === "string" ? value : JSON.stringify(value),
    ]);
    assert.deepEqual(
        of.map(([key, value]) => [key, value?.replaceAll(" ", "")]),
        said.map(([key, value]) => [key, value!.replaceAll(" ", "")]),
    );
}

describe("the reference of the configuration", () => {
    const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a" }] });

    it("has the defaults of every cloud", () => {
        const { network, versions, certificates, keys, etcdSnapshots } = cluster;
        documented("On every cloud", {
            podCidr: network.podCidr.text,
            serviceCidr: network.serviceCidr.text,
            clusterDomain: network.clusterDomain,
            kubeProxyMode: network.kubeProxyMode,
            kubernetesVersion: versions.kubernetes,
            etcdVersion: versions.etcd,
            "controllers.count": cluster.controllers.names.length,
            "pools[].count": cluster.workerPools[0]!.nodes.length,
            "pools[].maxUnavailable": cluster.workerPools[0]!.maxUnavailable,
            "certificates.generation": certificates.generation,
            "certificates.administrator": certificates.administrator,
            "certificates.kubeletServing": certificates.kubeletServing,
            "keys.serviceAccount": keys.serviceAccount,
            "keys.encryption": keys.encryption,
            "keys.frontProxyCa": keys.frontProxyCa,
            "keys.etcdCa": keys.etcdCa,
            "etcdSnapshots.keep": etcdSnapshots.keep,
            "etcdSnapshots.directory": etcdSnapshots.directory,
        });
    });

    it("has the defaults of this computer", () => {
        const local = localConfig.parse({ machineSubnet: "192.168.77.0/24" });
        documented("Of the `local` cloud", {
            domain: cluster.zone.replace(/^c\./, ""),
            keepsConntrackLimits: local.keepsConntrackLimits,
        });
        assert.equal(defaultsIn("On every cloud").cloud, local.cloud);
    });

    it("has the defaults of AWS", () => {
        const pools = [{ name: "a", spot: {}, instanceRefresh: {} }];
        const { aws } = resolveAws("c", { domain: "example.com", region: "eu-central-1", workerPools: pools });
        const { http, https } = requireIngress({}, cluster);
        documented("Of `aws`", {
            ...{ vpcCidr: aws.vpcCidr.text, topology: aws.topology, natGateways: aws.natGateways },
            ...{ apiAccess: aws.apiAccess, zones: aws.zones, os: aws.os },
            "controllers.etcdDiskSize": aws.etcdDiskSize,
            "controllers.instanceType": aws.instances.controller!.instanceType,
            "controllers.diskSize": aws.instances.controller!.diskSize,
            "pools[].instanceType": aws.instances.a!.instanceType,
            "pools[].diskSize": aws.instances.a!.diskSize,
            "ingress.httpPort": http,
            "ingress.httpsPort": https,
        });
        assert.deepEqual(
            [defaultsIn("Of `aws`").image, aws.instances.controller!.image],
            ["flatcar-stable", { distribution: "flatcar", channel: "stable", option: "image" }],
        );
    });

    it("has the defaults of DigitalOcean", () => {
        const least = { domain: "example.com", region: "fra1", image: "17", sshKeys: ["42"] };
        const { digitalOcean } = resolveDigitalOcean("c", { ...least, workerPools: [{ name: "a" }] });
        documented("Of `digitalocean`", {
            os: digitalOcean.os,
            vpcCidr: digitalOcean.vpcCidr.text,
            "controllers.size": digitalOcean.sizes.controller,
            "pools[].size": digitalOcean.sizes.a,
        });
    });

    it("links to pages in docs/", () => assert.match(text, /\[upgrades\]\(upgrades\.md#etcd\)/));
});
