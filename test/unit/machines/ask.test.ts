import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askMachine, listMachines } from "../../../machines/ask";

const container = (machine: string, address?: string) => ({
    Labels: { "dev.tradewind.cluster": "c", "dev.tradewind.machine": machine, "dev.tradewind.role": "machine" },
    State: "running",
    NetworkSettings: { Networks: { net: { IPAMConfig: address === undefined ? null : { IPv4Address: address } } } },
});

function frame(stream: number, text: string): Buffer {
    const head = Buffer.alloc(8);
    head[0] = stream;
    head.writeUInt32BE(Buffer.byteLength(text), 4);
    return Buffer.concat([head, Buffer.from(text)]);
}

async function bodyOf(request: IncomingMessage) {
    let text = "";
    for await (const chunk of request) text += chunk;
    return JSON.parse(text);
}

describe("querying machines over the engine's socket", () => {
    const { DOCKER_HOST, TRADEWIND_DOCKER } = process.env;
    let folder: string;
    let engine: Server;
    let exitCode: number;
    const asked: unknown[] = [];

    beforeEach(async () => {
        exitCode = 0;
        asked.length = 0;
        folder = mkdtempSync(join(tmpdir(), "tradewind-ask-"));
        engine = createServer(async (request, answer) => {
            const { pathname, searchParams } = new URL(request.url ?? "", "http://engine");
            const json = (status: number, value: unknown) => answer.writeHead(status).end(JSON.stringify(value));
            if (pathname === "/containers/json") {
                asked.push(JSON.parse(searchParams.get("filters") ?? ""), searchParams.get("all"));
                json(200, [container("b-10", "10.0.0.10"), container("b-2")]);
            } else if (pathname === "/containers/tradewind-c-b-2/exec") {
                asked.push((await bodyOf(request)).Cmd);
                json(201, { Id: "e1" });
            } else if (pathname === "/exec/e1/start") {
                answer.writeHead(200, { "content-type": "application/vnd.docker.raw-stream", connection: "close" });
                answer.end(Buffer.concat([frame(1, "one "), frame(2, "trouble"), frame(1, "two é")]));
            } else if (pathname === "/exec/e1/json") {
                json(200, { ExitCode: exitCode });
            } else if (pathname !== "/containers/tradewind-c-silent/exec") {
                json(409, { message: "container is paused" });
            }
        });
        const socket = join(folder, "engine.sock");
        await new Promise<void>((listening) => engine.listen(socket, listening));
        process.env.DOCKER_HOST = `unix://${socket}`;
        delete process.env.TRADEWIND_DOCKER;
    });
    afterEach(() => {
        for (const [name, value] of Object.entries({ DOCKER_HOST, TRADEWIND_DOCKER })) {
            if (value === undefined) delete process.env[name];
            else process.env[name] = value;
        }
        engine.closeAllConnections();
        engine.close();
        rmSync(folder, { recursive: true });
    });

    it("lists them by name", async () => {
        assert.deepEqual(await listMachines("c", 5_000), [
            { cluster: "c", name: "b-2", role: "machine", address: "", state: "running" },
            { cluster: "c", name: "b-10", role: "machine", address: "10.0.0.10", state: "running" },
        ]);
        const labels = ["dev.tradewind=1", "dev.tradewind.cluster=c", "dev.tradewind.role=machine"];
        assert.deepEqual(asked, [{ label: labels }, "true"]);
    });

    it("returns a command's standard output", async () => {
        assert.equal(await askMachine("c", "b-2", ["sh", "-c", "x"], 5_000), "one two é");
        assert.deepEqual(asked, [["sh", "-c", "x"]]);
    });

    it("fails with its standard error, or with the engine's error", async () => {
        exitCode = 3;
        await assert.rejects(askMachine("c", "b-2", ["x"], 5_000), {
            message: "docker exec tradewind-c-b-2 failed: trouble",
        });
        await assert.rejects(askMachine("c", "paused", ["x"], 5_000), {
            message: "docker exec tradewind-c-paused failed: container is paused",
        });
    });

    it("times out if there is no answer", async () => {
        await assert.rejects(askMachine("c", "silent", ["x"], 50), {
            message: "docker exec tradewind-c-silent failed: no answer in time",
        });
    });
});
