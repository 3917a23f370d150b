import { ensure } from "../../artifacts";
import { testImages, type volumeImages } from "../../artifacts/test-recipes";
import { authority } from "../../simulator/clouds/services/authority";

/**
 * Builds images that only tests run, which trust the CA of simulated clouds. @param group - of images. @default -
 * controllers
 */
export async function ensureTestImages(group: typeof testImages | typeof volumeImages = testImages): Promise<void> {
    authority();
    await ensure({ only: [group], say: () => {} });
}
