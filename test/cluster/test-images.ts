import { ensure } from "../../artifacts";
import { testImages, type volumeImages } from "../../artifacts/test-recipes";
import { simulatorCa } from "../../simulator/clouds/services/simulator-ca";

/**
 * Builds images that only tests run, which trust the CA of simulated clouds. @param group - of images. @default -
 * controllers
 */
export async function ensureTestImages(group: typeof testImages | typeof volumeImages = testImages): Promise<void> {
    simulatorCa();
    await ensure({ only: [group], say: () => {} });
}
