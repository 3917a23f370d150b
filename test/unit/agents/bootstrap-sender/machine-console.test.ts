import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { consoleOf } from "../../../../agents/bootstrap-sender/send";

describe("a machine's console", () => {
    const ec2 = { region: "eu-central-1", instanceId: "i-1" };
    let server: Server;
    let asked: URLSearchParams[];
    let answer: (form: URLSearchParams) => [number, string];
    let env: NodeJS.ProcessEnv;

    beforeEach(async () => {
        asked = [];
        server = createServer(async (request, response) => {
            const form = new URLSearchParams(await text(request));
            asked.push(form);
            const [status, body] = answer(form);
            response.writeHead(status).end(body);
        });
        await once(server.listen(0, "127.0.0.1"), "listening");
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        env = { AWS_ENDPOINT_URL: url, AWS_ACCESS_KEY_ID: "AKIAEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret" };
    });
    afterEach(() => server.close());

    const shown = (lines: string) =>
        `<GetConsoleOutputResponse><output>${Buffer.from(lines).toString("base64")}</output></GetConsoleOutputResponse>`;

    it("is fetched from EC2: its last lines, without colours", async () => {
        const lines = Array.from({ length: 60 }, (_, index) => `\u001b[1mline ${index}\u001b[0m\r\n`).join("\r\n");
        answer = () => [200, shown(lines)];
        const said = await consoleOf({ byHand: "`aws …`", ec2 }, env);
        assert.match(said, /^its console \(`aws …`\):\nline 20\nline 21\n.*\nline 59$/s);
        assert.deepEqual(
            asked.map((form) => [form.get("Action"), form.get("InstanceId"), form.get("Latest")]),
            [["GetConsoleOutput", "i-1", "true"]],
        );
    });

    it("begins with the machine's own last messages if other lines have buried them", async () => {
        const own = (seconds: number) => [
            `tradewind: c is not a node yet, ${seconds} s after boot`,
            "tradewind: kubelet.service: failed",
        ];
        const forwarded = (line: string) => `[  121.500] boot-console[93]: ${line}`;
        const others = Array.from({ length: 50 }, (_, index) => `systemd[1]: line ${index}`);
        answer = () => [200, shown([...own(120), "other", ...own(240), ...others].join("\n"))];
        const said = (await consoleOf({ byHand: "`aws …`", ec2 }, env)).split("\n");
        assert.deepEqual(said.slice(1, 5), [...own(240), "…", "systemd[1]: line 10"]);
        answer = () => [200, shown([...own(240).map(forwarded), ...others].join("\n"))];
        assert.match(
            await consoleOf({ byHand: "`aws …`", ec2 }, env),
            /:\n\[ +121\.500\] boot-console\[93\]: tradewind: c is/,
        );
        answer = () => [200, shown([...own(120), "the last"].join("\n"))];
        assert.equal(
            await consoleOf({ byHand: "`aws …`", ec2 }, env),
            ["its console (`aws …`):", ...own(120), "the last"].join("\n"),
        );
    });

    it("is fetched as of the boot if the instance supports nothing else", async () => {
        answer = (form) => (form.has("Latest") ? [400, "<Code>UnsupportedOperation</Code>"] : [200, shown("booted\n")]);
        assert.equal(await consoleOf({ byHand: "`aws …`", ec2 }, env), "its console (`aws …`):\nbooted");
    });

    it("is left to the user if access is denied, or it is only shown in a panel", async () => {
        answer = () => [403, "<Error><Code>UnauthorizedOperation</Code><Message>no</Message></Error>"];
        assert.match(
            await consoleOf({ byHand: "`aws …`", ec2 }, env),
            /^see its console: `aws …` \(could not fetch it here: .*UnauthorizedOperation.*\)$/,
        );
        answer = () => [200, shown("")];
        assert.equal(await consoleOf({ byHand: "`aws …`", ec2 }, env), "its console shows nothing yet: `aws …`");
        assert.equal(await consoleOf({ byHand: "the panel" }, env), "see its console: the panel");
        assert.equal(await consoleOf(undefined, env), "see its console");
    });
});
