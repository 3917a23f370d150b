import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cloudNames, clouds } from "../../../../cluster/clouds";
import type { Manifest } from "../../../../cluster/manifest";
import { snapshotDefinitions } from "../../../../cluster/manifests/addons/snapshot-definitions";
import { resolveCluster } from "../../../../cluster/resolve";
import { cloudControllerPermissions } from "../../../../components/aws/iam/cloud-controller-permissions";
import {
    autoscalerPermissions,
    csiDriverPermissions,
    volumeSnapshotPermissions,
} from "../../../../components/aws/iam/driver-permissions";
import { documented } from "../../../../dev/clouds";
import { workloads } from "../../../../dev/contracts";
import {
    actionProblems,
    containerProblems,
    definitionsHash,
    type Rendered,
    ruleProblems,
} from "../../../../dev/contracts/check";
import type { Contract } from "../../../../dev/contracts/contract";
import * as controllers from "../../../../dev/contracts/controllers";
import * as storage from "../../../../dev/contracts/storage";

const region = "eu-central-1";
const cluster = resolveCluster({ name: "c" });
const rendered: Readonly<Record<string, readonly Manifest[]>> = Object.fromEntries(
    cloudNames.map((name) => [clouds[name].title, documented[name].manifests(cluster)]),
);

interface Pod {
    readonly serviceAccountName?: string;
    readonly containers: readonly (Rendered & { readonly name: string })[];
}

function podOf(cloud: string, name: string): Pod {
    const found = rendered[cloud]!.find(
        ({ kind, metadata }) => /Deployment|DaemonSet/.test(kind) && metadata.name === name,
    );
    assert.ok(found, name);
    return (found.spec as { template: { spec: Pod } }).template.spec;
}

/** What a service account may do, by roles of its own. */
function rulesOf(cloud: string, account: string | undefined) {
    const all = rendered[cloud]! as unknown as {
        kind: string;
        metadata: { name: string };
        subjects?: { name: string }[];
        roleRef?: { kind: string; name: string };
        rules?: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
    }[];
    const bound = all.filter(({ subjects = [] }) => subjects.some(({ name }) => name === account));
    return bound
        .flatMap(({ roleRef }) =>
            all.filter((each) => each.kind === roleRef!.kind && each.metadata.name === roleRef!.name),
        )
        .flatMap(({ rules = [] }) => rules);
}

describe("the contracts of the clouds' programs", () => {
    for (const { cloud, name, containers } of workloads) {
        it(`hold for ${name} on ${cloud}`, () => {
            const pod = podOf(cloud, name);
            assert.deepEqual(pod.containers.map((each) => each.name).sort(), Object.keys(containers).sort());
            const problems = pod.containers.flatMap((container) =>
                containerProblems(containers[container.name]!, container).map((each) => `${container.name}: ${each}`),
            );
            assert.deepEqual(problems, []);
            assert.deepEqual(ruleProblems(Object.values(containers), rulesOf(cloud, pod.serviceAccountName)), []);
        });
    }

    const scope = { cluster: "c", region };
    const granted: [string, Contract, readonly { readonly actions: readonly string[] }[]][] = [
        ["the cloud controller", controllers.awsCloudController, cloudControllerPermissions({ ...scope, vpcId: "v" })],
        [
            "the CSI driver",
            storage.awsCsiController,
            [...csiDriverPermissions(scope), ...volumeSnapshotPermissions(scope)],
        ],
        ["cluster-autoscaler", controllers.clusterAutoscaler, autoscalerPermissions(scope)],
    ];
    for (const [what, contract, allowances] of granted) {
        it(`hold for the permissions of ${what} in AWS`, () => {
            assert.deepEqual(
                actionProblems(
                    contract,
                    allowances.flatMap(({ actions }) => actions),
                ),
                [],
            );
        });
    }

    it("hold for the scopes of DigitalOcean's tokens that the documentation demands", () => {
        const page = readFileSync(join(__dirname, "../../../../docs/cloud-controllers.md"), "utf8");
        const tokens = {
            cloudController: controllers.digitalOceanCloudController,
            csiDriver: storage.digitalOceanCsiController,
        };
        for (const [token, { scopes }] of Object.entries(tokens)) {
            const row = page.split("\n").find((line) => line.startsWith(`| \`cloudTokens.${token}\``))!;
            assert.deepEqual(row.match(/[a-z_]+:[a-z]+/g), scopes);
        }
    });

    it("hold for the kinds that snapshot-controller reads", () =>
        assert.equal(definitionsHash(snapshotDefinitions), storage.snapshotController.definitions));

    it("name a public file, and what was read of it", () => {
        for (const contract of [...Object.values(controllers), ...Object.values(storage)]) {
            assert.ok(contract.sources.length > 0);
            for (const { repository, file, at } of contract.sources) {
                assert.match(repository, /^[\w-]+\/[\w-]+$/);
                assert.ok(file && at);
            }
        }
    });
});

describe("a contract's check", () => {
    const contract: Contract = {
        image: "csiAttacher",
        version: "1.2.0",
        sources: [],
        flags: ["known", "usual"],
        usualFlags: { usual: "1" },
        requiredEnv: ["TOKEN"],
        rules: { pods: ["get", "list"] },
        actions: ["ec2:One", "ec2:Two"],
        defaults: { "--known": "1" },
    };
    const good = { image: "a/b:v1.2.0@sha256:1", args: ["--usual=1"], env: [{ name: "TOKEN" }] };

    it("finds another version, unknown flags and variables, and what is missing", () => {
        assert.deepEqual(containerProblems(contract, good), []);
        assert.deepEqual(
            containerProblems(contract, { image: "a/b:v1.2.01", args: ["--known=1", "--new"], env: [{ name: "X" }] }),
            [
                "a/b:v1.2.01 is not v1.2.0, whose source was read",
                "unknown flag --new",
                "--usual, which its own manifest sets, is neither set nor left out with a reason",
                "TOKEN is required",
                "unknown variable X",
                "--known is set, so its default does not matter",
            ],
        );
        assert.deepEqual(containerProblems({ ...contract, leftOut: { "--usual": "why" } }, good), [
            "--usual is not left out",
        ]);
    });

    it("finds what must be set to a value, and what must not be set", () => {
        const strict = { ...contract, always: { "--usual": "2", TOKEN: "x" }, never: { "--usual": "it breaks" } };
        assert.deepEqual(containerProblems(strict, good), [
            "--usual must be 2 (got 1)",
            "TOKEN must be x (got undefined)",
            "--usual must not be set: it breaks",
        ]);
    });

    it("finds rules and actions that are missing or unknown, and reasons that no longer apply", () => {
        const granted = [{ apiGroups: ["", "apps"], resources: ["pods"], verbs: ["get"] }];
        assert.deepEqual(ruleProblems([contract], granted), [
            "pods: list is missing",
            "apps/pods: get is unknown to it",
        ]);
        const excused = { ...contract, leftOut: { "pods: list": "why" }, added: { "apps/pods": "why" } };
        assert.deepEqual(ruleProblems([excused], granted), []);
        assert.deepEqual(ruleProblems([{ ...excused, added: { "apps/pods": "why", nodes: "why" } }], granted), [
            "nodes is not added",
        ]);
        assert.deepEqual(actionProblems(contract, ["ec2:One", "ec2:Three"]), [
            "ec2:Two is missing",
            "ec2:Three is unknown to it",
        ]);
    });
});
