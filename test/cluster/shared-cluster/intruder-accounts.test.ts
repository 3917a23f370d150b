import { attacksWithAccount } from "../intruder/with-an-account";
import { sharedCluster, sharedScene } from "../shared";

attacksWithAccount(sharedScene, sharedCluster);
