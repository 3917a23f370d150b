import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanUp } from "../../agents/clean-up/clean-up";
import type { Choice } from "../../agents/clean-up/sweep";
import type { Account } from "../../simulator/clouds/aws/account";
import { freePort } from "../free-port";
import { setVariables } from "../variables";
import { startServices } from "./aws-cloud-controller";
import { accountOf, owner, worker } from "./aws-cloud-controller/account";
import { belongToOthers, leaveBehind } from "./aws-cloud-controller/leftovers";

describe("the clean-up of what a dead cluster left in a simulated AWS", function () {
    this.timeout(60_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-dead-"));
    let account: Account;
    let services: ChildProcess;
    let resetVariables = () => {};
    let before: readonly string[];

    /** As destroy runs it, with nothing listening at the API's address. */
    const destroy = async (choice?: Choice) => {
        const lines: string[] = [];
        await cleanUp({
            ...{
                id: "its id",
                cluster: "c",
                server: `https://127.0.0.1:${await freePort()}`,
                ca: "",
                cert: "",
                key: "",
            },
            ...{ hasLoadBalancers: true, drivers: ["ebs.csi.aws.com"], findByHand: ["look there"], apiSeconds: 1 },
            cloud: {
                ...{ kind: "aws", region: "eu-central-1", vpcId: "vpc-1" },
                ...{ clusterTag: "kubernetes.io/cluster/c", ownTag: "tradewind.dev/cluster" },
            },
            ...(choice && { choice }),
            timeoutSeconds: 20,
            print: (line) => lines.push(line),
        });
        return lines.join("\n");
    };
    const left = () => account.left.filter((each) => !before.includes(each));

    beforeEach(async () => {
        account = accountOf(join(folder, "account.json"));
        belongToOthers(account);
        before = account.left;
        leaveBehind(account, worker);
        const started = await startServices(account.path);
        services = started.process;
        resetVariables = setVariables({
            AWS_ENDPOINT_URL: `http://127.0.0.1:${started.port}`,
            AWS_ACCESS_KEY_ID: owner.accessKeyId,
            AWS_SECRET_ACCESS_KEY: owner.secretAccessKey,
            AWS_SESSION_TOKEN: "",
        });
    });
    afterEach(() => {
        services.kill();
        resetVariables();
    });
    after(() => rmSync(folder, { recursive: true }));

    it("deletes nothing before the user decides about volumes", async () => {
        const all = account.left;
        await assert.rejects(destroy(), (error: Error) => {
            const message =
                "volumes of the cluster are left in the cloud, and only the cluster knew which to retain. Nothing has been deleted yet:";
            assert.ok(error.message.includes(`${message}\n    volume vol-1 of 20 GiB, of claim shop/orders\n`));
            assert.match(error.message, /TRADEWIND_LEFTOVERS=delete-volumes.*TRADEWIND_LEFTOVERS=keep-volumes/);
            return true;
        });
        assert.deepEqual(account.left, all);
    });

    it("deletes load balancers, their related resources and volumes, and nothing of other owners", async () => {
        const printed = await destroy("delete-volumes");
        assert.deepEqual(left(), []);
        assert.deepEqual(account.left, before);
        assert.match(printed, /the API of c does not answer \(waited \d+ s .*ECONNREFUSED/);
        for (const each of ["load balancer a1", "load balancer a2/", "target group k8s-a2/", "security group sg-9"]) {
            assert.ok(printed.includes(`deleting ${each}`), printed);
        }
    });

    it("keeps volumes on request, and lists them", async () => {
        const printed = await destroy("keep-volumes");
        assert.deepEqual(Object.keys(account.resources.volumes), ["vol-etcd", "vol-mine", "vol-1"]);
        assert.equal(account.all("classicLoadBalancers").length, 0);
        assert.match(printed, /kept: volume vol-1 of 20 GiB/);
    });

    it("explains why it cannot search without access to the account, and does nothing else", async () => {
        const all = account.left;
        process.env.AWS_SECRET_ACCESS_KEY = "another";
        await assert.rejects(
            destroy("delete-volumes"),
            /cannot search the cloud for what it left:\n.*SignatureDoesNotMatch[\s\S]*look there/,
        );
        process.env.AWS_SECRET_ACCESS_KEY = owner.secretAccessKey;
        for (const id of ["subnet-1", "subnet-2"]) account.remove("subnets", id);
        await assert.rejects(destroy("delete-volumes"), /not for the account that has vpc-1/);
        assert.deepEqual(
            account.left,
            all.filter((each) => !each.startsWith("subnets ")),
        );
    });

    it("leaves everything on request, and says how to find it", async () => {
        const all = account.left;
        assert.match(await destroy("leave"), /may be left in the cloud[\s\S]*look there/);
        assert.deepEqual(account.left, all);
    });
});
