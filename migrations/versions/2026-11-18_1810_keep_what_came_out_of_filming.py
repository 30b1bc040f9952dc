"""Keep what came out of filming: size and rate of the picture, and how long it took."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

CLIPS = sa.table(
    "clips",
    sa.column("id", sa.Integer),
    sa.column("state", sa.String),
    sa.column("style", sa.JSON),
    sa.column("width_px", sa.Integer),
    sa.column("height_px", sa.Integer),
    sa.column("fps", sa.Integer),
)
FACTS = ("width_px", "height_px", "fps")


def upgrade() -> None:
    for name in FACTS:
        op.add_column("clips", sa.Column(name, sa.Integer(), nullable=True))
    op.add_column("clips", sa.Column("filming_s", sa.Double(), nullable=True))
    # Until now, every film that got ready came out as its style said.
    connection = op.get_bind()
    ready = sa.select(CLIPS.c.id, CLIPS.c.style).where(CLIPS.c.state == "ready")
    for clip_id, style in connection.execute(ready).all():
        facts = {name: style.get(name) for name in FACTS}
        connection.execute(sa.update(CLIPS).where(CLIPS.c.id == clip_id).values(**facts))


def downgrade() -> None:
    for name in ("filming_s", *FACTS):
        op.drop_column("clips", name)
