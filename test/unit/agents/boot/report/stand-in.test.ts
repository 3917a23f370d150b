import assert from "node:assert/strict";
import { createServer } from "node:https";
import { StandIn } from "../../../../../agents/boot/report/report";
import { isRefused } from "../../../../../clients/probe";
import { Host } from "./scene";

describe("the stand-in on the API's port", () => {
    const own = "127.0.0.2";
    let host: Host;
    let standIn: StandIn;
    const rounds = async (count: number) => {
        for (let done = 0; done < count; done++) await standIn.reconcile();
    };

    beforeEach(async () => {
        host = await Host.create();
        standIn = new StandIn(
            host.plan,
            () => createServer({}),
            () => [own],
        );
    });
    afterEach(async () => {
        await standIn.leave();
        host.remove();
    });

    it("listens after finding no apiserver three times in a row", async () => {
        await rounds(2);
        assert.equal(standIn.isListening, false);
        await rounds(1);
        assert.equal(await isRefused(own, host.plan.port), false);
    });

    it("leaves once an apiserver of either generation listens, whose listener then finds the port free", async () => {
        for (const address of host.plan.apiservers) {
            await rounds(3);
            assert.equal(standIn.isListening, true);
            const end = await host.listen(address);
            await rounds(1);
            assert.equal(await isRefused(own, host.plan.port), true);
            await end();
            await rounds(2);
            assert.equal(standIn.isListening, false);
        }
    });

    it("does not block the current owner of the port, and takes it later", async () => {
        const end = await host.listen(own);
        await rounds(4);
        assert.equal(standIn.isListening, false);
        await end();
        await rounds(3);
        assert.equal(standIn.isListening, true);
    });
});
