import assert from "node:assert/strict";
import { createServer } from "node:https";
import { StandIn } from "../../../../../agents/boot/report/report";
import { isRefused } from "../../../../../clients/probe";
import { Host } from "./scene";

describe("the stand-in on the API's port", () => {
    const own = "127.0.0.2";
    let host: Host;
    let standIn: StandIn;
    const looks = async (count: number) => {
        for (let done = 0; done < count; done++) await standIn.look();
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
        await looks(2);
        assert.equal(standIn.isListening, false);
        await looks(1);
        assert.equal(await isRefused(own, host.plan.port), false);
    });

    it("leaves once an apiserver of either generation listens, whose listener then finds the port free", async () => {
        for (const address of host.plan.apiservers) {
            await looks(3);
            assert.equal(standIn.isListening, true);
            const end = await host.listen(address);
            await looks(1);
            assert.equal(await isRefused(own, host.plan.port), true);
            await end();
            await looks(2);
            assert.equal(standIn.isListening, false);
        }
    });

    it("does not block the current owner of the port, and takes it later", async () => {
        const end = await host.listen(own);
        await looks(4);
        assert.equal(standIn.isListening, false);
        await end();
        await looks(3);
        assert.equal(standIn.isListening, true);
    });
});
