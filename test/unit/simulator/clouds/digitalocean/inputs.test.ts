import assert from "node:assert/strict";
import { types } from "../../../../../simulator/clouds/digitalocean/types";
import { checkInputs, diffInputs } from "../../../../../simulator/clouds/shared/inputs";
import { UNKNOWN } from "../../../../../simulator/plugins/protocol/serve";

const id = "0b5a1e0c-5d4f-4f8e-9a43-6a3f1f6f1f00";
const inputsOf = (name: string) => types[`digitalocean:index/${name}`]!.inputs;
const good = {
    "vpc:Vpc": { name: "c", region: "fra1", ipRange: "172.24.0.0/20" },
    "tag:Tag": { name: "c-controller" },
    "droplet:Droplet": {
        name: "c-a-0",
        region: "fra1",
        size: "s-2vcpu-2gb",
        image: "17",
        vpcUuid: id,
        tags: ["c"],
        userData: "#cloud-config\n",
        sshKeys: ["42"],
        dropletAgent: false,
        volumeIds: [id],
        gracefulShutdown: true,
    },
    "volume:Volume": { name: "c-controller-0-etcd", region: "fra1", size: 20, description: "etcd" },
    "loadBalancer:LoadBalancer": {
        name: "c-api",
        region: "fra1",
        vpcUuid: id,
        dropletIds: [1],
        forwardingRules: [{ entryPort: 6443, entryProtocol: "tcp", targetPort: 6443, targetProtocol: "tcp" }],
        healthcheck: { protocol: "https", port: 6443, path: "/readyz", checkIntervalSeconds: 3 },
    },
    "firewall:Firewall": {
        name: "c-nodes",
        tags: ["c"],
        inboundRules: [{ protocol: "icmp", sourceTags: ["c"] }],
        outboundRules: [{ protocol: "tcp", portRange: "1-65535", destinationAddresses: ["0.0.0.0/0"] }],
    },
    "spacesBucket:SpacesBucket": { name: "acme", region: "fra1", acl: "private", forceDestroy: true },
    "spacesKey:SpacesKey": { name: "c-snapshots", grants: [{ bucket: "acme", permission: "readwrite" }] },
    "projectResources:ProjectResources": { project: id, resources: ["do:droplet:1", `do:volume:${id}`] },
    "domain:Domain": { name: "team.example.org" },
    "project:Project": { name: "team", purpose: "IoT", environment: "Production" },
    "sshKey:SshKey": { name: "team", publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAB me@example.org" },
    "dnsRecord:DnsRecord": { domain: "example.com", type: "A", name: "api.c", value: "192.0.2.1", ttl: 60 },
};

describe("the inputs of the simulated DigitalOcean", () => {
    for (const [name, inputs] of Object.entries(good)) {
        it(`of a ${name.split(":")[1]} are accepted, known or not`, () => {
            assert.deepEqual(checkInputs(inputs, inputsOf(name)), []);
            const unknown = Object.fromEntries(Object.keys(inputs).map((key) => [key, UNKNOWN]));
            assert.deepEqual(checkInputs(unknown, inputsOf(name)), []);
        });
    }

    it("of a LoadBalancer are accepted with a tag, an HTTP or TCP check, and a firewall", () => {
        const { dropletIds: _, ...tagged } = good["loadBalancer:LoadBalancer"];
        const port = { entryPort: 80, entryProtocol: "tcp", targetPort: 30080, targetProtocol: "tcp" };
        for (const healthcheck of [
            { protocol: "tcp", port: 80, checkIntervalSeconds: 10 },
            { protocol: "http", port: 10254, path: "/healthz" },
        ]) {
            const firewall = { allows: ["cidr:192.0.2.0/24", "ip:192.0.2.1"] };
            const more = { dropletTag: "c-ingress", forwardingRules: [port], healthcheck, firewall };
            assert.deepEqual(checkInputs({ ...tagged, ...more }, inputsOf("loadBalancer:LoadBalancer")), []);
        }
    });

    const refused: [keyof typeof good, Record<string, unknown>, RegExp][] = [
        [
            "vpc:Vpc",
            { ipRange: "10.0.0.0/8" },
            /^ipRange must be a private block of \/16 to \/24 \(got "10\.0\.0\.0\/8"\)$/,
        ],
        ["vpc:Vpc", { ipRange: "192.0.2.0/24" }, /^ipRange must be a private block/],
        ["vpc:Vpc", { name: "c c" }, /^name must be letters, digits, dashes and periods \(got "c c"\)$/],
        ["vpc:Vpc", { region: "mars1" }, /^region must be one of ams3, fra1, nyc3, sgp1 \(got "mars1"\)$/],
        ["vpc:Vpc", { ipRanges: "x" }, /^ipRanges is not simulated$/],
        ["spacesBucket:SpacesBucket", { name: "Acme" }, /^name must be 3 to 63 lower-case letters/],
        ["spacesBucket:SpacesBucket", { acl: "public" }, /^acl must be one of private, public-read \(got "public"\)$/],
        [
            "spacesKey:SpacesKey",
            { grants: [{ bucket: "acme", permission: "write" }] },
            /^grants must be a list of grants of a bucket with read or readwrite/,
        ],
        ["spacesKey:SpacesKey", { grants: [{ bucket: "", permission: "read" }] }, /^grants must be /],
        ["tag:Tag", { name: "c.controller" }, /^name must be letters, digits, colons/],
        ["droplet:Droplet", { size: "huge" }, /^size must be one of /],
        [
            "droplet:Droplet",
            { userData: "x".repeat(65_537) },
            /^userData must be at most 65536 bytes \(got 65539 characters\)$/,
        ],
        ["droplet:Droplet", { image: undefined }, /^image must be an image's slug or id \(got nothing\)$/],
        ["droplet:Droplet", { volumeIds: ["etcd"] }, /^volumeIds must be a list of volumes' ids \(got \["etcd"\]\)$/],
        ["volume:Volume", { name: "c.etcd" }, /^name must be at most 64 lower-case letters, .* \(got "c\.etcd"\)$/],
        ["volume:Volume", { size: 0 }, /^size must be a whole number of GiB from 1 to 16384 \(got 0\)$/],
        ["volume:Volume", { snapshotId: "s" }, /^snapshotId is not simulated$/],
        ["droplet:Droplet", { vpcId: "v" }, /^vpcId is not simulated$/],
        ["droplet:Droplet", { ipv6: "yes" }, /^ipv6 must be one of true, false \(got "yes"\)$/],
        ["droplet:Droplet", { dropletAgent: true }, /^dropletAgent must be one of false \(got true\)$/],
        [
            "loadBalancer:LoadBalancer",
            { healthcheck: { protocol: "https", port: 443, path: "/readyz" } },
            /^healthcheck must be of https/,
        ],
        [
            "loadBalancer:LoadBalancer",
            { healthcheck: { ...good["loadBalancer:LoadBalancer"].healthcheck, checkIntervalSeconds: 1 } },
            /^healthcheck must be of https on 6443 at \/readyz, .*with times that the service accepts/,
        ],
        [
            "firewall:Firewall",
            { inboundRules: [{ protocol: "tcp", sourceTags: ["c"] }] },
            /^inboundRules must be a list of rules/,
        ],
        ["firewall:Firewall", { inboundRules: [{ protocol: "icmp" }] }, /^inboundRules must be a list of rules/],
        [
            "projectResources:ProjectResources",
            { resources: [`do:vpc:${id}`] },
            /^resources must be a list of URNs of droplets, volumes, load balancers and Spaces \(got /,
        ],
        ["domain:Domain", { name: "example" }, /^name must be a domain \(got "example"\)$/],
        ["domain:Domain", { ipAddress: "192.0.2.1" }, /^ipAddress is not simulated$/],
        ["project:Project", { environment: "test" }, /^environment must be development, staging or production \(got/],
        ["project:Project", { name: "x".repeat(176) }, /^name must be 1 to 175 characters \(got 178 characters\)$/],
        ["sshKey:SshKey", { publicKey: "team.pub" }, /^publicKey must be a public key of OpenSSH \(got "team\.pub"\)$/],
        ["dnsRecord:DnsRecord", { type: "CNAME" }, /^type must be one of A, AAAA \(got "CNAME"\)$/],
        ["dnsRecord:DnsRecord", { value: "c.example.com" }, /^value must be an IP address \(got "c\.example\.com"\)$/],
        ["dnsRecord:DnsRecord", { ttl: 5 }, /^ttl must be 30 seconds or more \(got 5\)$/],
    ];
    for (const [name, inputs, message] of refused) {
        it(`of a ${name.split(":")[1]} are rejected: ${message.source.slice(1, 60)}`, () => {
            const failures = checkInputs({ ...good[name], ...inputs }, inputsOf(name));
            assert.equal(failures.length, 1);
            assert.match(failures[0]!.reason, message);
        });
    }

    it("replace a resource if the service cannot change it", () => {
        const before = good["droplet:Droplet"];
        const { ownership } = types["digitalocean:index/droplet:Droplet"]!;
        const { changes } = diffInputs(before, { ...before, region: "nyc3", tags: ["d"] }, ownership!);
        assert.deepEqual(changes, { region: { kind: "update", replace: true }, "tags[0]": { kind: "update" } });
    });
});
