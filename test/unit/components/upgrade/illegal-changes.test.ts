import assert from "node:assert/strict";
import { type UpgradeCheck, upgradeChecks } from "../../../../cluster/upgrade-overrides";
import { golden } from "../../golden";
import { illegalAdmission } from "./illegal/admission";
import { illegalDownloads } from "./illegal/downloads";
import { illegalEtcd } from "./illegal/etcd";
import { illegalKeys } from "./illegal/keys";
import { illegalLocalData } from "./illegal/local-data";
import { illegalOptions } from "./illegal/options";
import { previewed } from "./illegal/refused";
import type { Situations } from "./illegal/situation";
import { illegallyStrict } from "./illegal/stricter";
import { illegalUnasked } from "./illegal/unasked";
import { illegalVersions } from "./illegal/versions";

const themes: Readonly<Record<string, Situations>> = {
    versions: illegalVersions,
    etcd: illegalEtcd,
    downloads: illegalDownloads,
    keys: illegalKeys,
    options: illegalOptions,
    unasked: illegalUnasked,
    admission: illegalAdmission,
    stricter: illegallyStrict,
    "local-data": illegalLocalData,
};

/** Checks that a refusal lists as overridable. */
function namedIn(refusal: string): UpgradeCheck[] {
    const [, named = ""] = /upgradeOverrides: \[(.*)\]$/.exec(refusal) ?? [];
    return named.split(", ").filter((each) => each !== "") as UpgradeCheck[];
}

describe("previews of changes that are not to be", () => {
    const named = new Set<UpgradeCheck>();

    for (const [theme, situations] of Object.entries(themes)) {
        it(`are refused as reviewed, and go on once what they name is overridden: ${theme}`, async () => {
            const texts: string[] = [];
            for (const [what, situation] of Object.entries(situations)) {
                const { refusal, warnings } = await previewed(situation);
                assert.ok(refusal, `${what} is not refused`);
                texts.push([`# ${what}`, ...warnings, refusal, ""].join("\n"));
                const upgradeOverrides = namedIn(refusal);
                if (upgradeOverrides.length === 0) continue;
                for (const check of upgradeOverrides) named.add(check);
                const desired = { ...situation.desired, upgradeOverrides };
                assert.equal((await previewed({ ...situation, desired })).refusal, undefined, what);
                const [left] = upgradeOverrides.slice(1);
                if (left === undefined) continue;
                const some = { ...situation, desired: { ...desired, upgradeOverrides: [left] } };
                assert.ok((await previewed(some)).refusal, `${what} is let go by ${left} alone`);
            }
            golden(__dirname, `illegal-${theme}`, texts.join("\n"));
        });
    }

    it("leave no check without one", () => {
        assert.deepEqual([...named].sort(), [...upgradeChecks].sort());
    });
});
