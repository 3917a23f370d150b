import assert from "node:assert/strict";
import type { DigitalOceanOptions } from "../../../../components/digitalocean/options";
import { clusterOptions, resolveDigitalOcean } from "../../../../components/digitalocean/resolve";
import { dualStack } from "../in-cluster/fixture";

type Options = Omit<DigitalOceanOptions, "downloads">;
const least: Options = { domain: "example.com", region: "fra1", image: "ubuntu-26-04-x64" };

describe("the options of a cluster on DigitalOcean", () => {
    it("have a default each", () => {
        const { cluster, digitalOcean } = resolveDigitalOcean("c", least);
        assert.equal(cluster.apiName, "api.c.example.com");
        assert.deepEqual(cluster.workerPools, []);
        const { vpcCidr, ...rest } = digitalOcean;
        assert.equal(vpcCidr.text, "172.24.0.0/20");
        assert.deepEqual(rest, {
            region: "fra1",
            image: "ubuntu-26-04-x64",
            os: "ignition",
            sizes: { controller: "s-2vcpu-4gb" },
            etcdDiskSize: 20,
            ipv6: false,
            ingressLoadBalancer: true,
            loadBalancerNodes: {},
            firewallRules: [],
            backups: false,
            monitoring: false,
            recreate: [],
            cloudController: false,
            csiDriver: false,
            volumeSnapshots: false,
            sshKeys: [],
            tags: [],
        });
    });

    it("give each pool a size", () => {
        const workerPools = [{ name: "a", size: "s-4vcpu-8gb" }, { name: "b" }];
        const { digitalOcean, cluster } = resolveDigitalOcean("c", {
            ...least,
            controllers: { count: 3, size: "s-1vcpu-2gb" },
            workerPools,
        });
        assert.deepEqual(digitalOcean.sizes, { controller: "s-1vcpu-2gb", a: "s-4vcpu-8gb", b: "s-2vcpu-2gb" });
        assert.equal(cluster.controllers.names.length, 3);
    });

    it("refuse a flag that the version does not have", () => {
        const components = { etcd: { nonsense: "1" } };
        assert.throws(
            () => resolveDigitalOcean("c", { ...least, components }),
            /nonsense must be a flag of etcd 3\.\d+ \(got/,
        );
    });

    it("give pods no IPv6 addresses, also not on droplets that have one", () => {
        const image = "ubuntu-26-04-x64";
        for (const more of [{}, { ipv6: true, image, os: "cloud-init" as const, sshKeys: ["1"] }]) {
            assert.throws(() => resolveDigitalOcean("c", { ...least, ...more, network: dualStack }), {
                message:
                    "network.podCidr6 must not be set on DigitalOcean, whose VPCs have no IPv6 (got fd00:10:2::/56)",
            });
        }
    });

    it("leave to every cloud what all share", () => {
        const options = {
            ...least,
            sshKeys: ["1"],
            project: "acme",
            ipv6: true,
            loadBalancerNodes: {},
            firewallRules: [],
            backups: true,
            monitoring: true,
            ingressLoadBalancer: false,
            controllers: { count: 3, size: "x", etcdDiskSize: 10 },
            workerPools: [{ name: "a", size: "x" }],
            // A recovery makes listeners by it.
            apiLoadBalancer: false,
        };
        assert.deepEqual(clusterOptions(options), {
            domain: "example.com",
            osReboots: { windows: ["Sun 02:00-05:00"] },
            apiIdleTimeout: "60s",
            apiLoadBalancer: false,
            controllers: { count: 3 },
            workerPools: [{ name: "a" }],
        });
    });

    it("name a Space for snapshots, where the cluster is unless another region is named", () => {
        const of = (options: Partial<Options>) => resolveDigitalOcean("c", { ...least, ...options });
        const { cluster, digitalOcean } = of({ snapshotSpace: { name: "acme" }, etcdSnapshots: { keep: 3 } });
        assert.deepEqual(digitalOcean.snapshotSpace, { name: "acme", region: "fra1", retained: true });
        assert.equal(cluster.etcdSnapshots.keep, 3);
        assert.deepEqual(cluster.etcdSnapshots.s3, {
            endpoint: "https://fra1.digitaloceanspaces.com",
            bucket: "acme",
            region: "us-east-1",
            prefix: "c",
            isEncrypted: true,
            plainHttp: false,
            instanceRole: false,
        });
        const plain = of({ snapshotSpace: { name: "acme", isEncrypted: false } });
        assert.equal(plain.cluster.etcdSnapshots.s3!.isEncrypted, false);
        const other = of({ snapshotSpace: { name: "acme", region: "ams3" } });
        assert.equal(other.cluster.etcdSnapshots.s3?.endpoint, "https://ams3.digitaloceanspaces.com");
    });

    it("are of no cluster whose tag could be that of another one's machines", () => {
        for (const name of ["shop-ingress", "shop-controller"]) {
            assert.throws(() => resolveDigitalOcean(name, least), {
                message: `name must not end in -controller or -ingress, which are used for tags (got ${name})`,
            });
        }
        resolveDigitalOcean("ingress", least);
    });

    const refused: [string, Partial<Options>, RegExp][] = [
        [
            "a Space's name that is none",
            { snapshotSpace: { name: "Acme_1" } },
            /^snapshotSpace\.name must be 3 to 63 lower-case letters, digits and dashes, .* \(got Acme_1\)$/,
        ],
        [
            "a Space's region that is none",
            { snapshotSpace: { name: "acme", region: "eu" } },
            /^snapshotSpace\.region must be a region slug, such as fra1 \(got eu\)$/,
        ],
        [
            "a Space in addition to a bucket",
            {
                snapshotSpace: { name: "acme" },
                etcdSnapshots: { s3: { endpoint: "https://store.example.com", bucket: "b" } },
            },
            /^snapshotSpace conflicts with etcdSnapshots\.s3 \(got acme\)$/,
        ],
        [
            "a role of instances that droplets have not",
            {
                etcdSnapshots: {
                    s3: { endpoint: "https://s3.example.com", bucket: "backups", instanceRole: true },
                },
            },
            /^etcdSnapshots\.s3\.instanceRole must be false except on AWS \(got true\)$/,
        ],
        [
            "a region that is none",
            { region: "Frankfurt" },
            /^region must be a region slug, such as fra1 \(got Frankfurt\)$/,
        ],
        [
            "a disk of a size that is none",
            { controllers: { etcdDiskSize: 20_000 } },
            /^controllers\.etcdDiskSize must be a whole number of GiB from 10 to 16384 \(got 20000\)$/,
        ],
        ["no image", { image: "" }, /^image must be an image slug or the id of a custom image \(got ""\)$/],
        ["a custom image without an SSH key", { image: "17" }, /^a custom image requires sshKeys$/],
        ["a project without a name", { project: " " }, /^project must be the name or id of a project \(got {2}\)$/],
        [
            "IPv6 with a custom image",
            { image: "17", sshKeys: ["1"], ipv6: true },
            /^ipv6 conflicts with a custom image, .* \(got true\)$/,
        ],
        [
            "an SSH key's name",
            { sshKeys: ["mine"] },
            /^sshKeys\[0\] must be the id or fingerprint of a key \(got mine\)$/,
        ],
        [
            "an unknown form of configuration",
            { os: "windows" },
            /^os must be one of ignition, cloud-init \(got windows\)$/,
        ],
        [
            "a size that is none",
            { controllers: { size: "2 GB" } },
            /^controllers\.size must be a size slug, .* \(got 2 GB\)$/,
        ],
        [
            "a pool's size that is none",
            { workerPools: [{ name: "a" }, { name: "b", size: "" }] },
            /^workerPools\[1\]\.size must be a size slug, such as s-2vcpu-4gb \(got ""\)$/,
        ],
        ["no clients of the API", { apiAllowedCidrs: [] }, /^apiAllowedCidrs must not be empty$/],
        ["what is no block", { apiAllowedCidrs: ["home"] }, /^apiAllowedCidrs\[0\] must be an IPv4 block such as/],
        [
            "public addresses for the VPC",
            { vpcCidr: "192.0.2.0/24" },
            /^vpcCidr must be .* \(RFC 1918\) \(got 192\.0\.2\.0\/24\)$/,
        ],
        ["too large a VPC", { vpcCidr: "172.16.0.0/12" }, /^vpcCidr must be a block of \/16 to \/24 from/],
        ["too small a VPC", { vpcCidr: "172.24.0.0/25" }, /^vpcCidr must be a block of \/16 to \/24 from/],
        [
            "DigitalOcean's addresses",
            { vpcCidr: "10.244.1.0/24" },
            /^vpcCidr must not overlap DigitalOcean's own 10\.244/,
        ],
        [
            "pods' addresses",
            { vpcCidr: "10.2.0.0/20" },
            /^vpcCidr must not overlap network\.podCidr 10\.2\.0\.0\/16 \(got /,
        ],
        [
            "services' addresses",
            { vpcCidr: "10.3.0.0/20" },
            /^vpcCidr must not overlap network\.serviceCidr 10\.3\.0\.0\/16/,
        ],
        [
            "more nodes than addresses",
            {
                vpcCidr: "172.24.0.0/24",
                network: { podCidr: "10.128.0.0/12" },
                workerPools: [{ name: "a", count: 252 }],
            },
            /^vpcCidr must be large enough for 253 nodes \(got 172\.24\.0\.0\/24\)$/,
        ],
        [
            "kube-router without an image that can make its tunnels",
            { network: { cni: "kube-router" } },
            /^network\.cni kube-router on DigitalOcean requires images\.kubeRouter: an image of it with the command nft$/,
        ],
        [
            "an image and an imported one",
            { importedImage: { version: "4593.2.1" } },
            /^image conflicts with importedImage \(got ubuntu-26-04-x64\)$/,
        ],
        [
            "an imported image without a key",
            { image: undefined, importedImage: { version: "4593.2.1" } },
            /^a custom image requires sshKeys$/,
        ],
        [
            "what is no version",
            { image: undefined, importedImage: { version: "latest" } },
            /^importedImage\.version must be a version, such as 4593\.2\.1 \(got latest\)$/,
        ],
        [
            "an unknown channel",
            { image: undefined, importedImage: { version: "1", channel: "edge" } },
            /^importedImage\.channel must be one of stable, lts, beta, alpha \(got edge\)$/,
        ],
        [
            "an image's URL that cannot be imported",
            { image: undefined, importedImage: { version: "1", url: "https://a.example/{version}.iso" } },
            /^importedImage\.url must be the URL of a \.img, .* \(got https:\/\/a\.example\/1\.iso\)$/,
        ],
        [
            "an unknown distribution",
            { image: undefined, importedImage: { version: "1", distribution: "Flatcar" } },
            /^importedImage\.distribution must be one of Arch Linux, .* \(got Flatcar\)$/,
        ],
        [
            "a Flatcar whose Ignition is too old",
            { image: undefined, importedImage: { version: "4081.3.9", channel: "lts" } },
            /^importedImage\.version must be Flatcar 4459 or newer, not 4081\.3\.9: its Ignition .* \(got 4081\.3\.9\)$/,
        ],
        [
            "a Flatcar whose containerd is too old, from another server",
            {
                image: undefined,
                importedImage: { version: "4230.2.3", url: "https://a.example/flatcar-{version}.bin.gz" },
            },
            /^importedImage\.version must be Flatcar 4459 or newer, not 4230\.2\.3: /,
        ],
        [
            "a block that DigitalOcean reserves in the region",
            { region: "nyc1", vpcCidr: "10.10.16.0/20" },
            /^vpcCidr must not overlap DigitalOcean's own 10\.10\.0\.0\/16 \(got /,
        ],
        [
            "a block that DigitalOcean reserves everywhere",
            { vpcCidr: "10.229.0.0/20" },
            /^vpcCidr must not overlap DigitalOcean's own 10\.229\.0\.0\/16 \(got /,
        ],
        [
            "a metrics agent on a custom image",
            { image: "17", sshKeys: ["1"], monitoring: true },
            /^monitoring conflicts with a custom image, .* \(got true\)$/,
        ],
        [
            "nodes of no load balancer",
            { loadBalancerNodes: { ingress: 2 } },
            /^loadBalancerNodes\.ingress requires that load balancer \(got 2\)$/,
        ],
        [
            "no nodes of a load balancer",
            { loadBalancerNodes: { api: 0 } },
            /^loadBalancerNodes\.api must be a whole number of nodes from 1 to 100 \(got 0\)$/,
        ],
        [
            "a load balancer for no ingress",
            { ingressLoadBalancer: false },
            /^ingressLoadBalancer requires ingress \(got false\)$/,
        ],
        [
            "a rule without ports",
            { firewallRules: [{ sources: ["nodes"] }] },
            /^firewallRules\[0\]\.ports must be a port from 1 to 65535, or a range such as 9100-9200 \(got ""\)$/,
        ],
        [
            "a rule of ports that are none",
            { firewallRules: [{ ports: "9200-9100", sources: ["nodes"] }] },
            /^firewallRules\[0\]\.ports must be .* \(got 9200-9100\)$/,
        ],
        [
            "a rule without sources",
            { firewallRules: [{ ports: "22", sources: [] }] },
            /^firewallRules\[0\]\.sources must not be empty$/,
        ],
        [
            "a rule for what is no block",
            { firewallRules: [{ ports: "22", sources: ["nodes", "home"] }] },
            /^firewallRules\[0\]\.sources\[0\] must be an IPv4 block/,
        ],
        [
            "a rule for an unknown role",
            { firewallRules: [{ role: "etcd", ports: "22", sources: ["nodes"] }] },
            /^firewallRules\[0\]\.role must be one of all, controllers, workers \(got etcd\)$/,
        ],
        ["two controllers", { controllers: { count: 2 } }, /^controllers\.count must be 1, 3 or 5, or 2 with/],
    ];
    for (const [what, options, message] of refused) {
        it(`refuse ${what}`, () => {
            assert.throws(() => resolveDigitalOcean("c", { ...least, ...options }), { message });
        });
    }
});
