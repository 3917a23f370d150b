import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { queryAws, serviceUrl } from "../../../../clients/aws/query";

const credentials = { accessKeyId: "id", secretAccessKey: "key", sessionToken: "token" };

describe("an AWS service with a query API", () => {
    let server: Server;
    let asked: { method?: string; body: string; type?: string; token?: unknown };
    let answer: { status: number; body: string };
    const ask = () => {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const form = { Action: "DescribeInstances", Version: "2016-11-15", NextToken: "a+b==" };
        return queryAws({ url, service: "ec2", region: "eu-central-1" }, form, credentials);
    };

    before(async () => {
        server = createServer(async (request, response) => {
            const chunks = await request.toArray();
            const { method, headers } = request;
            const token = headers["x-amz-security-token"];
            asked = { method, body: Buffer.concat(chunks).toString(), type: headers["content-type"], token };
            response.writeHead(answer.status).end(answer.body);
        });
        await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    });
    after(() => void server.close());

    it("receives a signed form, and answers", async () => {
        answer = { status: 200, body: "<Response/>" };
        assert.equal(await ask(), "<Response/>");
        assert.deepEqual(asked, {
            method: "POST",
            body: "Action=DescribeInstances&Version=2016-11-15&NextToken=a%2Bb%3D%3D",
            type: "application/x-www-form-urlencoded; charset=utf-8",
            token: "token",
        });
    });

    it("has its own message reported if it refuses", async () => {
        answer = { status: 400, body: "<Error><Code>AuthFailure</Code><Message>no &amp; never</Message></Error>" };
        await assert.rejects(ask(), {
            name: "AwsRefusal",
            message: "ec2 refuses DescribeInstances: AuthFailure: no & never",
            why: "AuthFailure: no & never",
        });
    });

    it("is located in its region", () => {
        assert.equal(serviceUrl("autoscaling", "eu-central-1"), "https://autoscaling.eu-central-1.amazonaws.com");
        assert.equal(serviceUrl("ec2", "cn-north-1"), "https://ec2.cn-north-1.amazonaws.com.cn");
    });
});
