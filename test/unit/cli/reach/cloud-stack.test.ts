import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reachCluster } from "../../../../cli/reach/cluster";
import { cloudStackIn } from "../../../../cli/reach/stack-record";
import { kubeconfig } from "../../../../cluster/kubeconfig";
import { FakeSsh } from "./fake-ssh";

const record = {
    options: { name: "c", controllers: { count: 3 } },
    machines: { "c-controller-0": "10.0.0.11", "c-controller-1": "10.0.0.12", "c-controller-2": "10.0.0.13" },
    credentials: { kubernetesCa: { cert: "CA", key: "key" } },
};
const secret = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: JSON.stringify(value),
});
const admin = kubeconfig({
    cluster: "c",
    server: "https://api.c.example.com:6443",
    ca: "CA",
    user: "admin",
    credentials: { cert: "certificate", key: "key" },
});
const machine = (type: string, name: string, outputs: object) => ({
    type,
    urn: `urn:pulumi:prod::tradewind::tradewind:index:AwsCluster$${type}::${name}`,
    outputs: { ...outputs },
});
const exported = {
    deployment: {
        resources: [
            {
                type: "tradewind:index:AwsCluster",
                outputs: { recovery: secret(record), kubeconfig: secret(admin) },
            },
            machine("aws:ec2/instance:Instance", "c-controller-0", { publicIp: "198.51.100.10" }),
            machine("aws:ec2/instance:Instance", "c-controller-1", { publicIp: "" }),
            machine("digitalocean:index/droplet:Droplet", "c-controller-2", { ipv4Address: "198.51.100.12" }),
        ],
    },
};

describe("a cloud cluster, from its stack", () => {
    it("has its machines at their public addresses, otherwise at their own", () => {
        assert.deepEqual(cloudStackIn(exported, "prod").addresses, {
            "c-controller-0": "198.51.100.10",
            "c-controller-1": "10.0.0.12",
            "c-controller-2": "198.51.100.12",
        });
    });

    it("has machines without known names if there is an Auto Scaling group", () => {
        assert.equal(cloudStackIn(exported, "prod").hasOtherNodes, false);
        const { resources } = exported.deployment;
        const arn = "arn:aws:autoscaling:eu-central-1:123456789012:autoScalingGroup:1:autoScalingGroupName/c-default";
        const groupOf = (outputs: object) => machine("aws:autoscaling/group:Group", "c-default", outputs);
        const of = (outputs: object) =>
            cloudStackIn({ deployment: { resources: [...resources, groupOf(outputs)] } }, "prod");
        assert.equal(of({}).hasOtherNodes, true);
        // Where status asks why a group launches no instances.
        assert.deepEqual([of({ arn }).groupRegion, of({}).groupRegion], ["eu-central-1", undefined]);
    });

    it("must have been created by an up", () => {
        assert.throws(() => cloudStackIn({}, "prod"), /the state of the stack prod has no recovery record: /);
    });

    describe("as known to the pulumi on PATH", () => {
        let fake: FakeSsh;
        beforeEach(() => {
            fake = new FakeSsh();
            fake.addStack("prod", exported);
        });
        afterEach(() => fake.remove());

        it("is reached by its kubeconfig, and its controllers over SSH", async () => {
            const { access, machines } = await reachCluster({ stack: "prod", sshUser: "root" });
            assert.equal(
                readFileSync(join(fake.folder, "asked"), "utf8").trim(),
                "stack export --show-secrets --non-interactive --stack prod",
            );
            assert.deepEqual(
                [access.name, access.local, access.connection?.server],
                ["c", undefined, "https://api.c.example.com:6443"],
            );
            assert.equal(machines!.choice, "--stack prod --ssh-user root");
            mkdirSync(join(fake.root, "there"));
            assert.equal(await machines!.controller("c-controller-2").run("ls"), "there\n");
            assert.ok(fake.arguments.includes("198.51.100.12"));
        });

        it("has launches of pools only with Auto Scaling groups", async () => {
            assert.equal((await reachCluster({ stack: "prod" })).launchesOf, undefined);
            const arn = "arn:aws:autoscaling:eu-central-1:123456789012:autoScalingGroup:1:autoScalingGroupName/c-a";
            const group = machine("aws:autoscaling/group:Group", "c-a", { arn });
            fake.addStack("grouped", { deployment: { resources: [...exported.deployment.resources, group] } });
            assert.equal(typeof (await reachCluster({ stack: "grouped" })).launchesOf, "function");
        });

        it("uses the given addresses, and no others", async () => {
            const { machines } = await reachCluster({
                stack: "prod",
                sshAddress: { "c-controller-1": "by-bastion" },
            });
            await machines!.controller("c-controller-1").run("true");
            assert.ok(fake.arguments.includes("by-bastion"));
            assert.throws(
                () => machines!.controller("c-controller-7"),
                /has no address for c-controller-7; set it with --ssh-address/,
            );
        });

        it("cannot be combined with a local cluster or another kubeconfig", async () => {
            await assert.rejects(
                reachCluster({ stack: "prod", name: "c" }),
                /--stack and --name are mutually exclusive/,
            );
            await assert.rejects(
                reachCluster({ stack: "prod", kubeconfig: "k" }),
                /--stack and --kubeconfig are mutually exclusive/,
            );
        });

        it("fails with pulumi's error", async () => {
            await assert.rejects(
                reachCluster({ stack: "other" }),
                /pulumi stack export failed: no stack named 'other'/,
            );
        });
    });
});
