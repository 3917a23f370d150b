import assert from "node:assert/strict";
import { awaitName } from "../../../../../agents/boot/await-name/await-name";

const asked = { name: "api.c.example.com", domain: "example.com" };
const often = { everyMilliseconds: 1 };

describe("a machine waiting for the API's name", () => {
    const patience = (milliseconds = 10_000) => ({
        deadline: performance.now() + milliseconds,
        report: () => undefined,
    });
    /** Returns these answers one after another, and the last one from then on. */
    const answering = (...answers: (boolean | undefined)[][]) => {
        let time = -1;
        const of = async () => {
            time += 1;
            return (answers[time] ?? answers.at(-1)!).map((_, index) => String(index));
        };
        const have = async (server: string) => (answers[time] ?? answers.at(-1)!)[Number(server)];
        return { of, have, times: () => time + 1 };
    };

    it("waits until all name servers of its domain have it", async () => {
        const nameServers = answering([false, false], [true, false], [true, undefined]);
        assert.equal(await awaitName(asked, patience(), nameServers, often), "api.c.example.com exists");
        assert.equal(nameServers.times(), 3);
    });

    it("continues if no name server is listed for its domain", async () => {
        const told = await awaitName(asked, patience(), answering([]), often);
        assert.match(
            told,
            /^no name server is listed for example\.com: continuing without knowing whether api\.c\.example\.com exists/,
        );
    });

    it("continues if no name server answers, or can be found, several times in a row", async () => {
        const silent = answering([undefined]);
        assert.match(
            await awaitName(asked, patience(), silent, often),
            /^no name server of example\.com answers \(0\): /,
        );
        assert.equal(silent.times(), 5);
        const of = () => Promise.reject(new Error("no network"));
        const told = await awaitName(asked, patience(), { ...silent, of }, often);
        assert.match(told, /^cannot find the name servers of example\.com: no network: /);
    });

    it("waits while one does not have it, up to the timeout", async () => {
        const hesitant = answering(...Array(4).fill([undefined]), [false], ...Array(4).fill([undefined]), [true]);
        assert.equal(await awaitName(asked, patience(), hesitant, often), "api.c.example.com exists");
        await assert.rejects(awaitName(asked, patience(20), answering([false]), often), {
            name: "Timeout",
            message: /^waited 0 s for api\.c\.example\.com to exist; last seen: 0 does not have it$/,
        });
    });
});
