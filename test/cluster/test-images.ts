import { ensure } from "../../artifacts";
import { testImages, type volumeImages } from "../../artifacts/test-recipes";
import { ensureEngine } from "../../machines";
import { simulatorCa } from "../../simulator/clouds/services/simulator-ca";

/** Building them takes minutes if none is cached, which no test's own limit allows for. */
const buildMilliseconds = 1_800_000;

/**
 * Builds images that only tests run, which trust the CA of simulated clouds, before the tests of a `describe`.
 *
 * @param group - of images. @default - controllers
 */
export function withTestImages(group: typeof testImages | typeof volumeImages = testImages): void {
    before(async function () {
        this.timeout(buildMilliseconds);
        await ensureEngine();
        simulatorCa();
        await ensure({ only: [group], say: () => {} });
    });
}
