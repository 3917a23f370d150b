import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { openAccount } from "../../../../cli/verify-cloud/account";
import { StandInDigitalOcean } from "../../agents/clean-up/stand-in";

describe("what exists of a cluster in an account on DigitalOcean", () => {
    let cloud: StandInDigitalOcean;
    let env: NodeJS.ProcessEnv;
    const open = () => openAccount("digitalocean", "c", undefined, env);

    beforeEach(async () => {
        cloud = new StandInDigitalOcean();
        env = { DIGITALOCEAN_API_URL: await cloud.start(), DIGITALOCEAN_TOKEN: "token" };
    });
    afterEach(() => cloud.stop());

    it("is found by tag, name and VPC, on every page", async () => {
        const tagged = (id: number) => ({ id, name: `d${id}`, tags: ["c"] });
        Object.assign(cloud.lists, {
            droplets: [1, 2, 3, 4, 5].map(tagged),
            load_balancers: [
                { id: "6", name: "c-api", vpc_uuid: "other" },
                { id: "7", name: "a0123", vpc_uuid: "v1" },
                { id: "8", name: "cd-api", vpc_uuid: "v2" },
            ],
            volumes: [
                { id: "9", name: "pvc-1", tags: ["c"] },
                { id: "10", name: "c-controller-0-etcd", tags: null },
                { id: "11", name: "cd-controller-0-etcd" },
            ],
            snapshots: [{ id: "12", name: "s", tags: ["c"] }],
            vpcs: [
                { id: "v2", name: "cd" },
                { id: "v0", name: "x" },
                { id: "v1", name: "c" },
            ],
        });
        assert.deepEqual(await (await open()).existing(), [
            ...[1, 2, 3, 4, 5].map((id) => `droplet d${id} (${id})`),
            "load balancer c-api (6)",
            "load balancer a0123 (7)",
            "volume pvc-1 (9)",
            "volume c-controller-0-etcd (10)",
            "snapshot s (12)",
            "VPC c (v1)",
        ]);
        assert.equal((await open()).id, "owner");
    });

    it("is unknown, not empty, without a token, with another one, or if a list is missing", async () => {
        await assert.rejects(openAccount("digitalocean", "c", undefined, {}), /set DIGITALOCEAN_TOKEN/);
        await assert.rejects(
            openAccount("digitalocean", "c", undefined, { ...env, DIGITALOCEAN_TOKEN: "another" }),
            /GET \/v2\/account: 401/,
        );
        const account = await open();
        Object.assign(cloud.lists, { volumes: [] });
        cloud.stop();
        await assert.rejects(account.existing(), /ECONNREFUSED|socket hang up/);
    });
});

describe("what exists of a cluster in an account on AWS", () => {
    let server: Server;
    let env: NodeJS.ProcessEnv;
    let asked: string[];
    let answers: (form: URLSearchParams) => string | undefined;

    beforeEach(async () => {
        asked = [];
        answers = () => "";
        server = createServer(async (request, response) => {
            const form = new URLSearchParams(await text(request));
            const action = form.get("Action")!;
            asked.push(action);
            if (action === "GetCallerIdentity") {
                return response.end(
                    "<R><GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult></R>",
                );
            }
            const answer = answers(form);
            if (answer === undefined) {
                return response
                    .writeHead(403)
                    .end("<R><Errors><Error><Code>UnauthorizedOperation</Code></Error></Errors></R>");
            }
            response.end(`<R>${answer}</R>`);
        });
        await once(server.listen(0, "127.0.0.1"), "listening");
        const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        env = { AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "key" };
    });
    afterEach(() => server.close());

    const open = () => openAccount("aws", "c", "eu-central-1", env);
    const isAsked = (form: URLSearchParams, action: string, tag: string) =>
        form.get("Action") === action && form.get("Filter.1.Name") === `tag:${tag}`;

    it("is found by the stack's tag and by the tag of controllers in the cluster, on every page", async () => {
        answers = (form) => {
            const item = (id: string, state: string) =>
                `<item><instanceId>${id}</instanceId><instanceState><name>${state}</name></instanceState></item>`;
            if (isAsked(form, "DescribeInstances", "tradewind.dev/cluster")) {
                assert.equal(form.get("Filter.1.Value.1"), "c");
                const [id, more] = form.get("NextToken") ? ["i-2", ""] : ["i-1", "<nextToken>n</nextToken>"];
                const both = item(id, "running") + item(`${id}0`, "terminated");
                return `<reservationSet><item><instancesSet>${both}</instancesSet></item></reservationSet>${more}`;
            }
            if (isAsked(form, "DescribeVolumes", "kubernetes.io/cluster/c")) {
                return "<volumeSet><item><volumeId>vol-1</volumeId></item></volumeSet>";
            }
            if (isAsked(form, "DescribeVpcs", "tradewind.dev/cluster")) {
                return "<vpcSet><item><vpcId>vpc-1</vpcId></item></vpcSet>";
            }
            if (form.get("Action") === "DescribeLoadBalancers" && form.get("Version")!.startsWith("2015")) {
                const members = ["a", "b"].map((arn) => `<member><LoadBalancerArn>${arn}</LoadBalancerArn></member>`);
                return `<DescribeLoadBalancersResult><LoadBalancers>${members.join("")}</LoadBalancers></DescribeLoadBalancersResult>`;
            }
            if (form.get("Action") === "DescribeTags") {
                const tagged = (arn: string, key: string) =>
                    `<member><ResourceArn>${arn}</ResourceArn><Tags><member><Key>${key}</Key><Value>c</Value></member></Tags></member>`;
                return `<DescribeTagsResult><TagDescriptions>${tagged("a", "other")}${tagged("b", "tradewind.dev/cluster")}</TagDescriptions></DescribeTagsResult>`;
            }
            return "";
        };
        const account = await open();
        assert.equal(account.id, "123456789012");
        assert.deepEqual(await account.existing(), [
            "VPC vpc-1",
            "instance i-1",
            "instance i-2",
            "load balancer b",
            "volume vol-1",
        ]);
    });

    it("has the health of the API's targets, with AWS' reasons", async () => {
        answers = (form) => {
            if (form.get("Action") === "DescribeTargetGroups") {
                const groups = ["c-api", "c-30443", "cd-api"].map(
                    (name) =>
                        `<member><TargetGroupName>${name}</TargetGroupName><TargetGroupArn>arn:${name}</TargetGroupArn></member>`,
                );
                return `<DescribeTargetGroupsResult><TargetGroups>${groups.join("")}</TargetGroups></DescribeTargetGroupsResult>`;
            }
            assert.deepEqual([form.get("Action"), form.get("TargetGroupArn")], ["DescribeTargetHealth", "arn:c-api"]);
            const failed =
                "<State>unhealthy</State><Reason>Target.FailedHealthChecks</Reason><Description>Health checks failed</Description>";
            const targets = [
                ["i-1", "<State>healthy</State>"],
                ["i-2", failed],
            ].map(
                ([id, health]) =>
                    `<member><Target><Id>${id}</Id></Target><TargetHealth>${health}</TargetHealth></member>`,
            );
            return `<DescribeTargetHealthResult><TargetHealthDescriptions>${targets.join("")}</TargetHealthDescriptions></DescribeTargetHealthResult>`;
        };
        assert.deepEqual(await (await open()).targetHealth!(), [
            { group: "c-api", target: "i-1", state: "healthy" },
            {
                ...{ group: "c-api", target: "i-2", state: "unhealthy" },
                reason: "Target.FailedHealthChecks: Health checks failed",
            },
        ]);
    });

    it("is unknown, not empty, if one kind cannot be listed", async () => {
        answers = (form) => (form.get("Action") === "DescribeNatGateways" ? undefined : "");
        await assert.rejects((await open()).existing(), /DescribeNatGateways: UnauthorizedOperation/);
    });

    it("is empty after every kind was listed", async () => {
        assert.deepEqual(await (await open()).existing(), []);
        assert.equal(asked.filter((each) => each === "DescribeInstances").length, 2);
    });
});
