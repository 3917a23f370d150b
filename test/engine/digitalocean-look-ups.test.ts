import assert from "node:assert/strict";
import type { Account } from "../../simulator/clouds/digitalocean/account";
import { itLong } from "../takes-long";
import { PaperStack } from "./paper/paper-stack";

describe("a preview on DigitalOcean, with the real engine in a dry run,", function () {
    this.timeout(300_000);
    let stack: PaperStack;
    let account: Account;

    const config = {
        "tradewind:domain": "example.com",
        "tradewind:region": "fra1",
        "tradewind:image": "170000001",
        "tradewind:sshKeys": ["42"],
    };

    before(async () => {
        stack = await PaperStack.create("digitalocean", config);
        account = stack.account as Account;
    });
    after(() => stack?.remove());

    /** In a preview and in an `up`, which has none. */
    const refuses = async (...messages: RegExp[]) => {
        for (const command of ["preview", "up"] as const) {
            const { exitCode, output } = await stack.operation(command);
            assert.notEqual(exitCode, 0, output);
            for (const message of messages) assert.match(output, message);
            assert.doesNotMatch(output, / {4}at .*\.ts/);
        }
    };

    it("refuses what the account or the region has not, all at once, and creates nothing", async () => {
        stack.configure({
            "tradewind:domain": "example.net",
            "tradewind:sshKeys": ["43"],
            "tradewind:controllers": { count: 3, size: "c-2" },
        });
        account.behave({ imageRegions: { 170000001: ["nyc3"] }, dropletLimit: 2 });
        for (const command of ["preview", "up"] as const) {
            const { exitCode, output } = await stack.operation(command);
            assert.notEqual(exitCode, 0);
            for (const message of [
                /domain must be a domain of the account \(got example\.net\)/,
                /image must be available in fra1 \(got 170000001, image 170000001, which is in nyc3\)/,
                /controllers\.size must be a size in fra1, such as s-2vcpu-4gb, .* \(got c-2, which is in nyc3, sgp1\)/,
                /sshKeys\[0\] must be a key of the account, which has 42 \(key-42\) \(got 43\)/,
                /the account's droplet limit must be at least 3, 0 exist and 3 are to be created \(got 2\)/,
            ]) {
                assert.match(output, message);
            }
            assert.doesNotMatch(output, / {4}at .*\.ts/);
        }
        assert.deepEqual(account.left, []);
    });

    it("refuses names and blocks that others have, all at once, and touches nothing of theirs", async () => {
        stack.configure({ ...config, "tradewind:controllers": 1, "tradewind:snapshotSpace": { name: "acme" } });
        account.behave({ imageRegions: {}, dropletLimit: 25 });
        const vpc = "11111111-1111-4111-8111-111111111111";
        const theirs = { region: "fra1", name: "test" };
        const web = { ...theirs, name: "web", vpc, address: "172.24.0.2", size: "s-1vcpu-1gb", tags: ["Test"] };
        account.put("vpcs", vpc, { ...theirs, name: "theirs", ipRange: "172.24.0.0/20" });
        account.put("droplets", "400000001", web);
        await refuses(/the account already has droplets with the tag test \(web\)\. Choose another name/);

        account.put("droplets", "400000001", { ...web, tags: ["web"] });
        account.put("vpcs", "22222222-2222-4222-8222-222222222222", { ...theirs, ipRange: "10.50.0.0/20" });
        account.put("volumes", "v", { ...theirs, name: "test-controller-0-etcd", size: 1 });
        account.put("dnsRecords", "9", { domain: "example.com", name: "api.test", value: "203.0.113.9" });
        account.put("spacesBuckets", "acme", { ...theirs, name: "acme" });
        const balancer = { vpc, name: "test-api", address: "203.0.113.9", droplets: [], ports: [] };
        for (const id of ["a", "b"]) account.put("loadBalancers", id, balancer);
        await refuses(
            /has the VPC test, DNS records api\.test\.example\.com \(A 203\.0\.113\.9\), the load balancer test-api, the volume test-controller-0-etcd, the Space acme\./,
            /vpcCidr must not overlap \S+ of the VPC theirs \(got 172\.24\.0\.0\/20\); 172\.24\.16\.0\/20 is free/,
        );
        assert.deepEqual(account.left.length, 8);
        for (const kind of Object.keys(account.resources) as (keyof Account["resources"])[]) {
            for (const id of Object.keys(account.resources[kind])) account.remove(kind, id);
        }
        stack.configure({ "tradewind:snapshotSpace": undefined });
    });

    it("warns of a domain that is delegated elsewhere, and of scopes that the token lacks", async () => {
        stack.configure({ ...config, "tradewind:controllers": undefined });
        account.behave({
            imageRegions: {},
            dropletLimit: 25,
            lackedScopes: ["sizes:read", "account:read"],
            nameServers: { "example.com": ["ns1.other.net"] },
        });
        const { exitCode, output } = await stack.operation("preview");
        assert.equal(exitCode, 0, output);
        assert.match(
            output,
            /domain example\.com is not delegated to DigitalOcean, .*: its name servers are ns1\.other\.net/,
        );
        assert.match(output, /could not check sizes before creating anything: the token needs the scope sizes:read: /);
        assert.match(output, /could not check the droplet limit .*: the token needs the scope account:read: /);
    });

    it("lets an existing cluster change although its image and size are withdrawn, but not grow", async () => {
        account.behave({ lackedScopes: [], nameServers: {} });
        const made = await stack.operation("up");
        assert.equal(made.exitCode, 0, made.output);
        account.behave({ images: {}, lackedScopes: ["domain:read"] });
        stack.configure({ "tradewind:components": { kubeApiserver: { v: "1" } } });
        const changed = await stack.operation("up");
        assert.equal(changed.exitCode, 0, changed.output);
        assert.doesNotMatch(changed.output, /before creating anything/);
        stack.configure({ "tradewind:workerPools": [{ name: "a" }] });
        const grown = await stack.operation("preview");
        assert.notEqual(grown.exitCode, 0);
        assert.match(grown.output, /image must be an image that DigitalOcean or the account has \(got 170000001\)/);
        stack.configure({ "tradewind:workerPools": undefined });
    });

    it("takes neither a running cluster of the same name for its own, nor what an interrupted up did not record", async () => {
        account.behave({ lackedScopes: [] });
        const { output } = await stack.run("stack", "export");
        const restore = async (text: string) => {
            stack.write("kept.json", text);
            await stack.run("stack", "import", "--file", "kept.json");
        };
        const { deployment, ...rest } = JSON.parse(output);
        const all = account.left;
        await restore(JSON.stringify({ ...rest, deployment: { ...deployment, resources: [] } }));
        await refuses(/droplets with the tag test \(test-controller-0\), droplets with the tag test-controller \(/);
        await restore(output);

        const urn = deployment.resources.find((each: { urn: string }) => /:LoadBalancer::test-api$/.test(each.urn)).urn;
        const replaced = await stack.operation("preview", "--replace", urn);
        assert.equal(replaced.exitCode, 0, replaced.output);

        const [[id, record]] = Object.entries(account.resources.dnsRecords) as [[string, never]];
        account.remove("dnsRecords", id);
        await stack.run("state", "delete", "--target-dependents", "--yes", urn);
        await refuses(/the account already has the load balancer test-api\. .*interrupted `up`.*`pulumi import`/);
        account.put("dnsRecords", id, record);
        assert.deepEqual([...account.left].sort(), [...all].sort());
        await restore(output);
        assert.equal((await stack.operation("preview")).exitCode, 0);
    });

    it("warns of another droplet with the cluster's tag", async () => {
        const other = { name: "web", region: "fra1", vpc: "default-fra1", address: "10.114.0.2", tags: ["test"] };
        account.put("droplets", "400000001", other);
        const { exitCode, output } = await stack.operation("preview");
        assert.equal(exitCode, 0, output);
        assert.match(output, /the tag test must only be on this cluster's droplets, .*: remove it from web/);
        account.remove("droplets", "400000001");
    });

    itLong("is of a new image and of the droplets to replace, when an imported image has another version", async () => {
        const destroyed = await stack.operation("destroy");
        assert.equal(destroyed.exitCode, 0, destroyed.output);
        assert.deepEqual(account.left, []);
        const workerPools = [{ name: "a", count: 2 }];
        const imported = (version: string) => ({ "tradewind:importedImage": { version } });
        stack.configure({
            ...{
                "tradewind:image": undefined,
                "tradewind:components": undefined,
                "tradewind:workerPools": workerPools,
            },
            ...imported("4593.2.0"),
        });
        const made = await stack.operation("up");
        assert.equal(made.exitCode, 0, made.output);
        assert.deepEqual(
            Object.values(account.resources.images).map(({ name }) => name),
            ["test-4593.2.0"],
        );

        stack.configure(imported("4593.2.1"));
        const kept = await stack.operation("preview");
        assert.equal(kept.exitCode, 0, kept.output);
        assert.deepEqual(Object.keys(kept.changes).sort(), ["replace", "same"], kept.output);
        assert.equal(kept.changes.replace, 1);

        stack.configure({ "tradewind:recreate": ["test-a-0", "test-a-1"] });
        const before = new Set(Object.keys(account.resources.droplets));
        const replaced = await stack.operation("up");
        assert.equal(replaced.exitCode, 0, replaced.output);
        assert.deepEqual(
            Object.values(account.resources.images).map(({ name }) => name),
            ["test-4593.2.1"],
        );
        const after = Object.entries(account.resources.droplets).filter(([id]) => !before.has(id));
        assert.deepEqual(after.map(([, { name }]) => name).sort(), ["test-a-0", "test-a-1"]);
        assert.deepEqual((await stack.operation("preview")).changes.replace ?? 0, 0);
    });
});
