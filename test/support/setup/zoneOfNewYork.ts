/** A time that depends on the computer's zone is then wrong in a test, too: most computers that run tests are in UTC. */
export default function setZone(): void {
	process.env.TZ = 'America/New_York';
}
