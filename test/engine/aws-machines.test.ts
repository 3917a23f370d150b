import assert from "node:assert/strict";
import type { Account } from "../../simulator/clouds/aws/account";
import { itLong } from "../takes-long";
import { PaperStack } from "./paper/paper-stack";

const kmsKeyId = "arn:aws:kms:eu-central-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef";

describe("options of machines on AWS, with the real engine in a dry run,", function () {
    this.timeout(400_000);
    let stack: PaperStack;
    /** What the account has before the cluster. */
    let brought: readonly string[];

    before(async () => {
        stack = await PaperStack.create("aws", {
            "aws:region": "eu-central-1",
            "tradewind:domain": "example.com",
            "tradewind:workerPools": [{ name: "default" }],
        });
        brought = account().left;
    });
    after(() => stack?.remove());

    const account = () => stack.account as Account;
    const ids = (kind: "instances" | "volumes") =>
        Object.entries(account().resources[kind])
            .filter(([, { name }]) => name.startsWith("test-controller-0"))
            .map(([id]) => id);
    const up = async (config: Record<string, unknown>) => {
        stack.configure(config);
        const { exitCode, output } = await stack.operation("up");
        assert.equal(exitCode, 0, output);
        return output;
    };
    const refused = async (config: Record<string, unknown>, why: RegExp) => {
        stack.configure(config);
        const { exitCode, output } = await stack.operation("preview");
        assert.notEqual(exitCode, 0, output);
        assert.match(output, why);
    };

    it("leave the controllers of an existing cluster and their etcd volumes in place", async () => {
        await up({});
        const before = [ids("instances"), ids("volumes")];
        await up({
            "tradewind:kmsKeyId": kmsKeyId,
            "tradewind:permissionsBoundary": "arn:aws:iam::123456789012:policy/boundary",
            "tradewind:sessionManager": true,
            "tradewind:ecrPulls": true,
            "tradewind:controllers": {
                ...{ cpuCredits: "standard", diskIops: 4000, diskThroughput: 250 },
                ...{ etcdDiskType: "io2", etcdDiskIops: 2000, policies: ["arn:aws:iam::123456789012:policy/audit"] },
            },
            "tradewind:workerPools": [{ name: "default", diskType: "gp2", cpuCredits: "unlimited" }],
        });
        assert.deepEqual([ids("instances"), ids("volumes")], before);
        const attached = account()
            .all("attachedPolicies")
            .map(({ name }) => name.split("/").at(-1));
        assert.deepEqual(attached.sort(), [
            "AmazonEC2ContainerRegistryPullOnly",
            "AmazonEC2ContainerRegistryPullOnly",
            "AmazonSSMManagedInstanceCore",
            "AmazonSSMManagedInstanceCore",
            "audit",
        ]);
        const again = await stack.operation("preview", "--expect-no-changes");
        assert.equal(again.exitCode, 0, again.output);
    });

    it("encrypt the root volume of a controller that is recreated, which keeps its etcd volume", async () => {
        const before = [ids("instances"), ids("volumes")];
        const output = await up({ "tradewind:recreate": ["test-controller-0"] });
        // No API is behind the simulated load balancer.
        assert.match(output, /test-controller-0 is stopped without being drained: waited 15 s for the API/);
        assert.match(output, /whether test-controller-0 is still cordoned was not checked/);
        assert.notDeepEqual(ids("instances"), before[0]);
        assert.deepEqual(ids("volumes"), before[1]);
        assert.doesNotMatch(await up({ "tradewind:recreate": [] }), /cordoned|drained/);
    });

    it("can be removed without replacing anything", async () => {
        const before = [ids("instances"), ids("volumes")];
        await up({
            ...{ "tradewind:kmsKeyId": undefined, "tradewind:permissionsBoundary": undefined },
            ...{ "tradewind:sessionManager": false, "tradewind:ecrPulls": false },
            "tradewind:controllers": {},
        });
        assert.deepEqual([ids("instances"), ids("volumes")], before);
        assert.deepEqual(account().all("attachedPolicies"), []);
    });

    itLong("change the issuer of tokens step by step, as every kube-apiserver must accept it first", async () => {
        const roles = (issuing?: boolean) => ({
            "tradewind:serviceAccountRoles": { bucket: "acme-issuer", ...(issuing !== undefined && { issuing }) },
        });
        await refused(
            roles(),
            /serviceAccountRoles must have issuing: false before tokens are of https:\/\/acme-issuer\./,
        );
        await up(roles(false));
        await up(roles());
        const removal = { "tradewind:serviceAccountRoles": undefined };
        await refused(
            removal,
            /serviceAccountRoles must have issuing: false for an hour before https:\/\/acme-issuer\./,
        );
        assert.deepEqual(
            account()
                .all("oidcProviders")
                .map(({ name, audiences }) => [name, audiences]),
            [["acme-issuer.s3.eu-central-1.amazonaws.com", ["sts.amazonaws.com"]]],
        );
        await up(roles(false));
        await up(removal);
        assert.deepEqual(account().all("oidcProviders"), []);
        assert.deepEqual(
            account()
                .all("buckets")
                .filter(({ name }) => name === "acme-issuer"),
            [],
        );
    });

    it("leave nothing behind", async () => {
        await up({ "tradewind:ecrPulls": true, "tradewind:sessionManager": true });
        const { exitCode, output } = await stack.operation("destroy");
        assert.equal(exitCode, 0, output);
        assert.deepEqual(account().left, brought);
    });
});
