import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { isSecretArgument, requireArguments } from "../../../components/arguments";
import { components, shared } from "../../../components/arguments.json";
import { AwsCluster, DigitalOceanCluster, LocalCluster } from "../../../index";
import { downloads } from "./in-cluster/fixture";

const minimal = {
    AwsCluster: { domain: "example.com", region: "eu-central-1", downloads },
    DigitalOceanCluster: { domain: "example.com", region: "fra1", downloads },
    LocalCluster: { machineCidr: "192.0.2.0/24", downloads },
};
const classes = { AwsCluster, DigitalOceanCluster, LocalCluster };
const all = Object.keys(minimal) as (keyof typeof minimal)[];

const output = pulumi.output("x");
const late =
    "must be a plain value known at preview (got an output or a secret): give the value itself (of another stack, by getOutputDetails of its reference)";

describe("an argument of a cluster that no compiler has checked", () => {
    const refused: readonly (readonly [string, object, string])[] = [
        ["an output", { kubernetesVersion: output }, `kubernetesVersion ${late}`],
        ["a secret", { domain: pulumi.secret("example.com") }, `domain ${late}`],
        ["an output as a label", { controllers: { labels: { team: output } } }, `controllers.labels.team ${late}`],
        ["an output in a list", { workerPools: [{ name: "a" }, output] }, `workerPools[1] ${late}`],
        ["an output as a flag", { components: { kubelet: { v: output } } }, `components.kubelet.v ${late}`],
        [
            "a promise",
            { domain: Promise.resolve("example.com") },
            "domain must be a plain value known at preview (got a promise): await it first",
        ],
        ["a function", { domain: () => "a" }, "domain must be a plain value known at preview (got a function)"],
        ["null instead of a list", { workerPools: null }, "workerPools must be a list (got null)"],
        ["a BigInt", { controllers: { count: 3n } }, "controllers.count must be a number (got 3)"],
        ["null instead of an object", { network: null }, "network must be an object (got null)"],
        [
            "null instead of a flag",
            { components: { etcd: { v: null } } },
            "components.etcd.v must be a string (got null)",
        ],
        ["a number as text", { controllers: { count: "3" } }, 'controllers.count must be a number (got "3")'],
        ["text instead of true", { metrics: "yes" }, 'metrics must be true or false (got "yes")'],
        [
            "a number instead of a flag",
            { components: { kubelet: { v: 3 } } },
            "components.kubelet.v must be a string (got 3)",
        ],
        ["an object instead of a list", { workerPools: {} }, "workerPools must be a list (got {})"],
        [
            "a key of encryption that is neither",
            { keys: { encryption: [true] } },
            "keys.encryption[0] must be a number or a string (got true)",
        ],
        [
            "an unknown key",
            { workerPool: [] },
            "workerPool must be a known key (got workerPool): did you mean workerPools?",
        ],
        [
            "an unknown key inside",
            { workerPools: [{ name: "a", taint: [] }] },
            "workerPools[0].taint must be a known key (got taint): did you mean taints?",
        ],
        [
            "a secret of another type",
            { etcdSnapshotSecrets: { secretAccessKey: 12345 } },
            "etcdSnapshotSecrets.secretAccessKey must be a string (got [secret])",
        ],
        [
            "two of them",
            { metrics: 1, workerPools: null },
            "metrics must be true or false (got 1)\nworkerPools must be a list (got null)",
        ],
    ];
    for (const [what, args, message] of refused) {
        it(`is refused: ${what}`, () => {
            for (const component of all) {
                assert.throws(
                    () => requireArguments(component, { ...minimal[component], ...args }),
                    { message },
                    component,
                );
            }
        });
    }

    for (const [component, args, message] of [
        ["AwsCluster", { region: output }, `region ${late}`],
        [
            "AwsCluster",
            { subnetIds: output },
            `subnetIds ${late.replace("a plain value known at preview", "a list with a known number of items, which may be outputs")}`,
        ],
        ["AwsCluster", { vpcId: 12345 }, "vpcId must be a string (got 12345)"],
        [
            "AwsCluster",
            { tags: output },
            `tags ${late.replace("a plain value known at preview", "an object with known keys, whose values may be outputs")}`,
        ],
        ["AwsCluster", { region: undefined }, "region must be a string (got nothing)"],
        ["DigitalOceanCluster", { sshKeys: [42] }, "sshKeys[0] must be a string (got 42)"],
        ["LocalCluster", { zones: "a" }, 'zones must be a list (got "a")'],
    ] as const) {
        it(`is refused by ${component}: ${message}`, () => {
            assert.throws(() => requireArguments(component, { ...minimal[component], ...args }), { message });
        });
    }

    for (const component of all) {
        it(`is refused by ${component} before it reads any`, () => {
            const create = classes[component] as unknown as new (name: string, args: unknown) => unknown;
            assert.throws(() => new create("c", { ...minimal[component], workerPools: null }), {
                message: "workerPools must be a list (got null)",
            });
            assert.throws(() => new create("c", undefined), { message: "args must be an object (got nothing)" });
        });
    }
});

describe("an argument of a cluster", () => {
    it("may be missing or undefined, if it has a default", () => {
        for (const component of all) requireArguments(component, { ...minimal[component], workerPools: undefined });
    });

    it("may become known later if it shapes nothing, as a whole or in parts", () => {
        const key = pulumi.secret("key");
        for (const component of all) {
            for (const etcdSnapshotSecrets of [pulumi.output({}), Promise.resolve({}), { encryptionKey: key }]) {
                requireArguments(component, { ...minimal[component], etcdSnapshotSecrets });
            }
        }
        requireArguments("DigitalOceanCluster", { ...minimal.DigitalOceanCluster, cloudTokens: output });
    });

    it("may become known later if it comes from another resource", () => {
        for (const args of [
            { publicZone: output, vpcId: output, subnetIds: ["subnet-1", output], loadBalancerSubnetIds: [output] },
            { privateZone: Promise.resolve("Z1"), securityGroupIds: [output] },
        ]) {
            requireArguments("AwsCluster", { ...minimal.AwsCluster, ...args });
        }
    });

    it("is secret, and late as a whole, only if its type says so", () => {
        const names = new Set(all.flatMap((component) => Object.keys(components[component].properties)));
        assert.deepEqual([...names].filter(isSecretArgument).sort(), [
            "cloudTokens",
            "controlPlaneSecretFiles",
            "etcdSnapshotSecrets",
            "givenKeys",
            "logHeaders",
            "registryCredentials",
        ]);
    });

    it("is of a type that is described", () => {
        const names = [...JSON.stringify({ components, shared }).matchAll(/"\$ref":"(\w+)"/g)].map(([, name]) => name!);
        assert.ok(names.length > 20);
        assert.deepEqual(
            names.filter((name) => !(name in shared)),
            [],
        );
    });
});
