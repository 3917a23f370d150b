/** `npm run soak -- …`. */
export { main } from "../test/soak";
