import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockAdvice } from "../../../../../components/digitalocean/droplets";
import { Account } from "../../../../../simulator/clouds/digitalocean/account";
import { awaitUnlocked, stepOutOfTime } from "../../../../../simulator/clouds/digitalocean/droplet";

// Measured with the official plugin on a stand-in for the API; see the source named in the module.
const cases = [
    { title: "a droplet without graceful shutdown", shutdown: undefined, timeout: 0, step: undefined },
    { title: "a shutdown of 25 s", shutdown: 25, timeout: 0, step: undefined },
    { title: "a shutdown of 45 s", shutdown: 45, timeout: 0, step: "destroyed" },
    { title: "a shutdown of 75 s", shutdown: 75, timeout: 0, step: "off" },
    { title: "a shutdown of 75 s with 5 minutes", shutdown: 75, timeout: 300, step: undefined },
] as const;

describe("the deletion of a simulated droplet", () => {
    for (const { title, shutdown, timeout, step } of cases) {
        const outcome = step === undefined ? "succeeds in time" : `times out before it is ${step}`;
        it(`${outcome}: ${title}`, () =>
            assert.equal(stepOutOfTime(shutdown, timeout, { hasVolumes: shutdown !== undefined }), step));
    }
});

describe("the deletion of a simulated droplet with an event in progress", () => {
    let folder: string;
    let account: Account;
    const unlocked = (timeout: number) => Math.ceil(awaitUnlocked(account, { id: "1", name: "c-a", timeout }));
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-locked-"));
        account = Account.open(join(folder, "account.json"), { domains: [], images: {}, sshKeys: [] });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("waits for the end of the event, which leaves less time for the rest", () => {
        assert.equal(unlocked(900), 900);
        account.lock("c-a", 500);
        assert.equal(unlocked(900), 401);
        assert.ok(account.waited > 499 && account.waited <= 500, String(account.waited));
    });

    for (const [title, timeout, waited, message] of [
        ["times out with the provider's default", 0, 60, /timeout while waiting for state to become 'false'$/],
        ["does not find the droplet after ten minutes", 900, 600, /couldn't find resource \(61 retries\)$/],
    ] as const) {
        it(`${title}, and goes on in the next run`, () => {
            account.lock("c-a", 700);
            assert.throws(
                () => unlocked(timeout),
                ({ message: text }: Error) => {
                    assert.match(text, /^Error waiting for droplet to be unlocked for destroy \(1\): /);
                    assert.match(text, message);
                    assert.match(lockAdvice(text)!, /such as a backup; .* run the same command again$/);
                    return true;
                },
            );
            assert.equal(account.waited, waited);
            account.wait(100);
            unlocked(900);
            assert.ok(account.waited > 699);
        });
    }
});
