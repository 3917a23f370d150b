import { ensure } from "../../artifacts";
import { testImages } from "../../artifacts/test-recipes";
import { authority } from "../../simulator/services/authority";

/** Makes the images that tests alone run, which trust who signs for simulated clouds. */
export async function ensureTestImages(): Promise<void> {
    authority();
    await ensure({ only: [testImages], say: () => {} });
}
