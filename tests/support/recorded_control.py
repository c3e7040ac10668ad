"""A control that remembers what was wanted."""


class Orders:
    """A control that remembers what it was told."""

    def __init__(self) -> None:
        self.given: list[tuple[object, ...]] = []

    def start(self) -> None:
        self.given.append(("start",))

    def add_bot(self) -> None:
        self.given.append(("bot",))

    def change_name(self, name: str) -> None:
        self.given.append(("name", name))

    def change_monster(self, monster: str) -> None:
        self.given.append(("monster", monster))

    def mark_ready(self, wanted: bool) -> None:
        self.given.append(("ready", wanted))

    def renew_code(self) -> None:
        self.given.append(("code",))

    def open_seats(self) -> None:
        self.given.append(("open",))

    def accept(self, name: str) -> None:
        self.given.append(("accept", name))

    def remove(self, name: str) -> None:
        self.given.append(("remove", name))

    def move(self, name: str, seat: int) -> None:
        self.given.append(("move", name, seat))

    def leave(self) -> None:
        self.given.append(("leave",))

    def keep(self) -> None:
        self.given.append(("keep",))

    def say(self, text: str) -> None:
        self.given.append(("say", text))

    def go_on(self, bot: bool) -> None:
        self.given.append(("go on", bot))

    def stop_today(self, wanted: bool) -> None:
        self.given.append(("stop", wanted))

    def let_bot_play(self) -> None:
        self.given.append(("bot plays",))

    def come_back(self) -> None:
        self.given.append(("back",))

    def let_back(self, seat: int) -> None:
        self.given.append(("let back", seat))
