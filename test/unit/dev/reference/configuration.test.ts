import assert from "node:assert/strict";
import { requireDuration } from "../../../../cluster/durations";
import { requireIngress } from "../../../../cluster/network/ingress";
import { resolveCluster } from "../../../../cluster/resolve";
import { resolveAws } from "../../../../components/aws/resolve";
import { resolveDigitalOcean } from "../../../../components/digitalocean/resolve";
import { configurationReference } from "../../../../dev/reference/configuration";

const text = configurationReference();

/** Defaults by key, from the table below a heading. */
function defaultsIn(heading: string): Record<string, string> {
    const section = text.split(`## ${heading}\n`)[1]!.split("\n## ")[0]!;
    return Object.fromEntries(
        [...section.matchAll(/^\| `([^`]+)` +\| .*? +\| (.*?) +\|/gm)].map(([, key, value]) => [
            key,
            value!.replaceAll("`", ""),
        ]),
    );
}

/** Checks the documented defaults of the given keys. */
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

/** Documented durations. Unit: seconds. */
function secondsIn(heading: string, keys: readonly string[]): number[] {
    return keys.map((key) => requireDuration(key, defaultsIn(heading)[key]!, "1s"));
}

/** Checks keys whose defaults are prose: the value in the code, the expected value, and the text that describes it. */
function saidInWords(heading: string, keys: Readonly<Record<string, readonly [unknown, unknown, string]>>): void {
    for (const [key, [actual, meant, words]] of Object.entries(keys)) {
        assert.deepEqual([key, actual, defaultsIn(heading)[key]], [key, meant, words]);
    }
}

describe("the configuration reference", () => {
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
            "workerPools[].count": cluster.workerPools[0]!.nodes.length,
            "workerPools[].maxUnavailable": cluster.workerPools[0]!.maxUnavailable,
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
        const [drainTimeout] = secondsIn("On every cloud", ["workerPools[].drainTimeout"]);
        assert.equal(drainTimeout, cluster.workerPools[0]!.drainSeconds);
    });

    it("has the defaults of local clusters", () => {
        documented("Local clusters", {
            domain: cluster.zone.replace(/^c\./, ""),
            // As machines are containers: stacks/local.ts.
            keepConntrackLimits: true,
        });
        assert.equal(defaultsIn("On every cloud").cloud, "local");
    });

    it("has the defaults of AWS", () => {
        const pools = [{ name: "a", spot: {}, instanceRefresh: {} }, { name: "bare" }];
        const { aws } = resolveAws("c", { domain: "example.com", region: "eu-central-1", workerPools: pools });
        const { http, https } = requireIngress({}, cluster);
        const { spot, refresh } = aws.pools.a!;
        const { bare } = aws.pools as { bare: (typeof aws.pools)[string] };
        documented("On AWS", {
            ...{ vpcCidr: aws.vpcCidr.text, topology: aws.topology, natGateways: aws.natGateways },
            ...{ apiAccess: aws.apiAccess, zones: aws.zones, os: aws.os },
            "controllers.etcdDiskSize": aws.etcdDisk.size,
            "controllers.instanceType": aws.instances.controller!.instanceType,
            "controllers.diskSize": aws.instances.controller!.disk.size,
            "controllers.diskType": aws.instances.controller!.disk.type,
            "controllers.etcdDiskType": aws.etcdDisk.type,
            "workerPools[].diskType": aws.instances.a!.disk.type,
            "workerPools[].instanceType": aws.instances.a!.instanceType,
            "workerPools[].diskSize": aws.instances.a!.disk.size,
            "ingress.httpPort": http,
            "ingress.httpsPort": https,
            "workerPools[].spot.onDemandBase": spot!.onDemandBase,
            "workerPools[].spot.onDemandPercentage": spot!.onDemandPercentage,
            "workerPools[].instanceRefresh.minHealthyPercentage": refresh!.min,
            "workerPools[].instanceRefresh.maxHealthyPercentage": refresh!.max,
            ...{ cloudController: aws.cloudController, csiDriver: aws.csiDriver },
            ...{ autoscaler: aws.autoscaler, ipv6: aws.ipv6 },
            keepConntrackLimits: cluster.network.keepConntrackLimits,
        });
        assert.deepEqual(secondsIn("On AWS", ["workerPools[].instanceRefresh.warmup"]), [refresh!.warmupSeconds]);
        saidInWords("On AWS", {
            "ingress.pools": [requireIngress({}, cluster).pools, ["a"], "every pool"],
            "ingress.allowedCidrs": [requireIngress({}, cluster).allowedCidrs, undefined, "all addresses"],
            recreate: [aws.recreate, [], "none"],
            vpcEndpoints: [aws.vpcEndpoints, [], "none"],
            tags: [aws.tags, {}, "none"],
            snapshotBucket: [aws.snapshotBucket, undefined, "none"],
            ingress: [aws.ingress, undefined, "not forwarded"],
            "workerPools[].spot": [bare.spot, undefined, "all instances are on demand"],
            "workerPools[].instanceRefresh": [bare.refresh, undefined, "existing instances are not replaced"],
            "workerPools[].instanceTypes": [bare.instanceTypes.length, 1, "one type"],
        });
        assert.deepEqual(
            [defaultsIn("On AWS").image, aws.instances.controller!.image],
            ["flatcar-stable", { distribution: "flatcar", channel: "stable", option: "image" }],
        );
    });

    it("has the defaults of DigitalOcean", () => {
        const least = { domain: "example.com", region: "fra1", image: "17", sshKeys: ["42"] };
        const stock = { domain: "example.com", region: "fra1", image: "ubuntu-26-04-x64" };
        const made = resolveDigitalOcean("c", { ...least, workerPools: [{ name: "a" }] });
        const { digitalOcean } = made;
        const { http, https, pools } = requireIngress({}, made.cluster);
        documented("On DigitalOcean", {
            os: digitalOcean.os,
            vpcCidr: digitalOcean.vpcCidr.text,
            "controllers.size": digitalOcean.sizes.controller,
            "workerPools[].size": digitalOcean.sizes.a,
            "controllers.etcdDiskSize": digitalOcean.etcdDiskSize,
            apiLoadBalancer: made.cluster.apiLoadBalancer,
            ...{ cloudController: digitalOcean.cloudController, csiDriver: digitalOcean.csiDriver },
            ipv6: digitalOcean.ipv6,
            ...{ "ingress.httpPort": http, "ingress.httpsPort": https },
        });
        saidInWords("On DigitalOcean", {
            "ingress.pools": [pools, ["a"], "every pool"],
            ingress: [digitalOcean.ingress, undefined, "none"],
            apiAllowedCidrs: [digitalOcean.apiAllowedCidrs, undefined, "all addresses"],
            recreate: [digitalOcean.recreate, [], "none"],
            tags: [digitalOcean.tags, [], "none"],
            snapshotSpace: [digitalOcean.snapshotSpace, undefined, "none"],
            project: [digitalOcean.project, undefined, "the account's default project"],
        });
        assert.deepEqual(
            [defaultsIn("On DigitalOcean").sshKeys, resolveDigitalOcean("c", stock).digitalOcean.sshKeys],
            ["none", []],
        );
    });

    it("links to pages in docs/", () => assert.match(text, /\[etcd\]\(etcd\.md#changes\)/));
});
