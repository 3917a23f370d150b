import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Release } from "../../../../../../agents/nodes/node-agent/interruption/waiting-group";

const credentials = { Code: "Success", AccessKeyId: "id", SecretAccessKey: "key", Token: "token" };
const metadata: Record<string, string> = {
    "/latest/meta-data/instance-id": "i-0123",
    "/latest/meta-data/iam/security-credentials/": "c-a",
    "/latest/meta-data/iam/security-credentials/c-a": JSON.stringify(credentials),
};
const refused = (code: string, message: string) =>
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

describe("an Auto Scaling group that waits with an instance", () => {
    let server: Server;
    let told: { form: string; by: string }[];
    let answer: { status: number; body: string };
    let time: number;
    let said: string[];

    const release = () => {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const group = { name: "c-a", hook: "c-a-drain", region: "eu-central-1", service: url };
        return new Release(
            group,
            url,
            (line) => said.push(line),
            () => time,
        );
    };

    beforeEach(async () => {
        [told, time, said, answer] = [[], 0, [], { status: 200, body: "<CompleteLifecycleActionResponse/>" }];
        server = createServer((request, response) => {
            const { method, url = "", headers } = request;
            if (method === "PUT") return response.end("t");
            if (method === "GET") return response.end(metadata[url]);
            let form = "";
            request.on("data", (chunk) => {
                form += chunk;
            });
            request.on("end", () => {
                told.push({ form, by: headers.authorization ?? "" });
                response.writeHead(answer.status).end(answer.body);
            });
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    });
    afterEach(() => void server.close());

    it("is released once, with the instance's role", async () => {
        const of = release();
        await of.give();
        time = 60_000;
        await of.give();
        assert.equal(told.length, 1);
        assert.deepEqual(Object.fromEntries(new URLSearchParams(told[0]!.form)), {
            Action: "CompleteLifecycleAction",
            Version: "2011-01-01",
            AutoScalingGroupName: "c-a",
            LifecycleHookName: "c-a-drain",
            InstanceId: "i-0123",
            LifecycleActionResult: "CONTINUE",
        });
        assert.match(told[0]!.by, /Credential=id\/\d+\/eu-central-1\/autoscaling\/aws4_request/);
        assert.deepEqual(said, ["released the Auto Scaling group c-a to terminate this machine"]);
    });

    it("is released again after a while if it rejected the call", async () => {
        answer = { status: 403, body: refused("AccessDenied", "not authorized") };
        const of = release();
        for (time of [0, 4_999, 5_000]) await of.give();
        assert.equal(told.length, 2);
        assert.match(
            said[0]!,
            /could not release .*: autoscaling refuses CompleteLifecycleAction: AccessDenied: not auth/,
        );
        answer = { status: 200, body: "" };
        for (time of [10_000, 60_000]) await of.give();
        assert.equal(told.length, 3);
    });

    it("is no longer waiting if it does not know the action", async () => {
        const message = "No active Lifecycle Action found with instance ID i-0123";
        answer = { status: 400, body: refused("ValidationError", message) };
        const of = release();
        for (time of [0, 60_000]) await of.give();
        assert.equal(told.length, 1);
        answer = { status: 400, body: refused("ValidationError", "No Lifecycle Hook found") };
        const other = release();
        for (time of [120_000, 180_000]) await other.give();
        assert.equal(told.length, 3);
    });
});
